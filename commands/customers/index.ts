/** `fiscal customers`: the customers remembered for merchants. */
import * as operations from "../../src/operations/remembered.ts";
import { modeText, questionAbout } from "../confirmation.ts";
import { noun } from "../define.ts";
import { verbOf } from "../verb.ts";

export const defineCustomers = noun(
  {
    list: verbOf(operations.listCustomers),
    show: verbOf(operations.getCustomer),
    statement: {
      arguments: "<customer>",
      en: "documents and credits of a customer in a period, with a running sum; as a table, PDF, XLSX or CSV",
      el: "παραστατικά και πιστωτικά ενός πελάτη σε ένα διάστημα, με άθροισμα· ως πίνακας, PDF, XLSX ή CSV",
      load: async () => (await import("./statement.ts")).defineStatement,
    },
    forget: verbOf(operations.forgetCustomer, {
      async confirm({ appliance, mode, params: { id = "", customer: written } }) {
        const named = { context: appliance, mode, id, customer: written };
        const { customer } = await operations.findNamed(named);
        const { getMerchant } = await import("../../src/merchants/merchants.ts");
        const merchant = await getMerchant(appliance, id);
        return questionAbout(
          { en: "Forget the customer", el: "Να ξεχαστεί ο πελάτης" },
          [`${customer.country} ${customer.code}`, customer.name, merchant.name, modeText(mode)],
          { en: "Its documents stay.", el: "Τα παραστατικά του μένουν." },
        );
      },
      notes: () => [{ en: "The customer is forgotten.", el: "Ο πελάτης ξεχάστηκε." }],
    }),
  },
  "fiscal customers list --merchant shop",
);
