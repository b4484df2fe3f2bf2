/** Matches every x-request-id that this server may have assigned (docs/contract.md#request-ids). */
export const REQUEST_ID_FORM =
  /^(?:req_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|client:[A-Za-z0-9._:-]{8,128}|[A-Za-z0-9._-]{1,16}::[A-Za-z0-9._:-]{6,110})$/;
