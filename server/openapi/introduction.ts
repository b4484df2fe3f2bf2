/** The first page of the API reference, in Markdown: what fiscal is, and the way to the first document. */
import { DOCUMENT_EXAMPLE } from "../../src/operations/examples/names.ts";

const INVOICE = JSON.stringify({ merchant: "$MERCHANT", document: DOCUMENT_EXAMPLE }, null, 2);

export const INTRODUCTION = `fiscal issues Greek fiscal documents (invoices, credit notes, retail receipts) for businesses. You send a document as JSON. fiscal checks it, classifies its income, numbers it and sends it to the tax authority (AADE myDATA) or to a licensed provider, until it has its **MARK**, the number under which the authority registered it, or is refused.

## Five minutes to the first document

On the machine where fiscal runs, create a test key. Test keys reach a built-in **sandbox** that behaves like the authority; nothing it issues is legally valid:

\`\`\`sh
API=http://127.0.0.1:8787/api/v1
KEY=$(fiscal keys create --mode test --name first)
\`\`\`

Create the business that issues, a **merchant**:

\`\`\`sh
curl -s $API/merchants -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
  -H 'Idempotency-Key: merchant-1' -d '{"external_id": "shop", "name": "Παράδειγμα Α.Ε.", "tax_id": "123456783"}' | tee merchant.json
MERCHANT=$(grep -o 'mer_[0-9A-Za-z]*' merchant.json)
\`\`\`

Issue an invoice. Amounts are in cents:

\`\`\`sh
cat > invoice.json <<END
${INVOICE}
END
curl -s $API/documents -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
  -H 'Idempotency-Key: order-4711' -d @invoice.json | tee document.json
DOCUMENT=$(grep -o 'doc_[0-9A-Za-z]*' document.json | head -1)
\`\`\`

The response is immediate, with status \`pending\`. A moment later the document is \`issued\` and has its \`mark\`, and you can fetch the PDF:

\`\`\`sh
curl -s $API/documents/$DOCUMENT -H "Authorization: Bearer $KEY"
curl -s -o invoice.pdf $API/documents/$DOCUMENT/pdf -H "Authorization: Bearer $KEY"
\`\`\`

## What to know next

- **Repeat safely.** Requests that create something carry an \`Idempotency-Key\` of your choice. After a timeout send the same request with the same key: you get the first response again, and nothing is issued twice.
- **Failures** all have one shape, [Error](#model/Error). Branch on \`code\`, never on \`message\`; \`retryable\` says whether trying again can help.
- **Lists** are newest first. Page with \`limit\`, and with the last id as \`starting_after\`.
- **Outcomes** arrive as events: receive them by webhook (see Webhooks), or read them from \`listEvents\`.
- **Two modes.** The key decides between \`test\` and \`live\`. Merchants are shared; documents, connections, events and logs belong to one mode. Before live documents can be issued, the merchant needs a connection to a provider (\`createConnection\`).
`;
