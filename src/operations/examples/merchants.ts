/** The example merchant, its settings, its connection, and its connect session. */
import { ConnectionObjectSchema } from "../../issuing/connection-object.ts";
import type { ConnectSessionObject } from "../../connect-sessions/connect-sessions.ts";
import { MerchantObjectSchema } from "../../merchants/merchant-object.ts";
import { completeExample } from "./complete.ts";
import { IDS, INSTANTS, SERVER, SUPPLIER_CODE } from "./names.ts";

export const MERCHANT = completeExample(MerchantObjectSchema, {
  id: IDS.merchant,
  object: "merchant",
  external_id: "shop-1",
  name: "Παράδειγμα Α.Ε.",
  tax_id: SUPPLIER_CODE,
  branch: 0,
  metadata: { plan: "standard" },
  archived: false,
  created: INSTANTS.setUp,
});

export const ARCHIVED_MERCHANT = { ...MERCHANT, archived: true };

export const SETTINGS = {
  classification: { "1.1": { category: "category1_2", type: "E3_561_001" } },
  numbering: { "1.1": { series: "A", next_number: 1201 } },
  paper: { phone: "2101234567", language: "el" },
} as const;

export const CONNECTION = completeExample(ConnectionObjectSchema, {
  id: IDS.connection,
  object: "connection",
  merchant: IDS.merchant,
  provider: "registry_direct",
  mode: "test",
  status: "active",
  verified_at: INSTANTS.verified,
  created: INSTANTS.verified,
});

export const DISCONNECTED_CONNECTION = { ...CONNECTION, status: "disconnected" };

export const CONNECT_SESSION: ConnectSessionObject = {
  id: IDS.connectSession,
  object: "connect_session",
  merchant: IDS.merchant,
  provider: "registry_direct",
  expires_at: "2025-11-19T09:10:00.000Z",
  completed_at: INSTANTS.verified,
  connection: IDS.connection,
  created: "2025-11-19T08:40:00.000Z",
};

export const NEW_CONNECT_SESSION = {
  ...CONNECT_SESSION,
  completed_at: null,
  connection: null,
  url: `${SERVER}/connect/q0Zr7v0lX4dGm2yT8bN5cK1hJ6sW3eR9uPfAiOtYxLw`,
} as const;
