import { describe, expect, test } from "vitest";
import { completeWith, missingPaths, readFound } from "../../../src/providers/provider-a/customer.ts";

const FOUND = { name: "ΠΑΡΑΔΕΙΓΜΑ ΑΕ", street: "ΕΡΜΟΥ", number: "1", postal_code: "10563", city: "ΑΘΗΝΑ" };
const GREEK = { country_code: "GR", vat: "094012834" };

describe("missing fields", () => {
  test("of a business are listed by their paths", () => {
    expect(missingPaths({ ...GREEK, name: "N", city: " " })).toEqual([
      "customer.address.street",
      "customer.address.number",
      "customer.address.postal_code",
      "customer.address.city",
    ]);
    expect(missingPaths({ ...GREEK, ...FOUND })).toEqual([]);
  });

  test("are none for a retail customer", () => {
    expect(missingPaths({ name: "Πελάτης λιανικής" })).toEqual([]);
  });
});

describe("a customer is completed", () => {
  const { name: _name, ...address } = FOUND;
  test.each([
    ["fully", {}, FOUND],
    ["with an address, but not with another name", { name: "Δικό του" }, { ...address, name: "Δικό του" }],
    [
      "with the street if the postal code is the same",
      { postal_code: "105 63", city: "Αθήνα" },
      { name: FOUND.name, postal_code: "105 63", city: "Αθήνα", street: "ΕΡΜΟΥ", number: "1" },
    ],
    [
      "with the number if the street is the same",
      { postal_code: "10563", city: "Αθήνα", street: "Ερμού" },
      { name: FOUND.name, postal_code: "10563", city: "Αθήνα", street: "Ερμού", number: "1" },
    ],
    [
      "without the number of another street",
      { postal_code: "10563", city: "Αθήνα", street: "Σταδίου" },
      { name: FOUND.name, postal_code: "10563", city: "Αθήνα", street: "Σταδίου" },
    ],
    [
      "without the street of another place",
      { postal_code: "54624", city: "Θεσσαλονίκη" },
      { name: FOUND.name, postal_code: "54624", city: "Θεσσαλονίκη" },
    ],
    [
      "without the street if a number was given",
      { postal_code: "10563", city: "Αθήνα", number: "9" },
      { name: FOUND.name, postal_code: "10563", city: "Αθήνα", number: "9" },
    ],
  ])("%s", (_case, known, completed) => {
    expect(completeWith({ ...GREEK, ...known }, FOUND)).toEqual({ ...GREEK, ...completed });
  });

  test("with a partial lookup result", () => {
    expect(completeWith(GREEK, { name: "N" })).toEqual({ ...GREEK, name: "N" });
  });
});

describe("the lookup's response", () => {
  const BODY = {
    vat_no: "094012834",
    name: " ΠΑΡΑΔΕΙΓΜΑ ΑΕ  ",
    city: "ΑΘΗΝΑ",
    address: "ΕΡΜΟΥ",
    postal_code: "10563",
    street_number: 1,
  };

  test("is read and trimmed", () => {
    expect(readFound(BODY, "094012834")).toEqual(FOUND);
    expect(readFound({ ...BODY, vat_no: "EL094012834", address: "  " }, "094012834")).not.toHaveProperty(
      "street",
    );
  });

  test.each([
    ["about another number", { ...BODY, vat_no: "999999999" }],
    ["without a number", { name: "N" }],
    ["that is not an object", []],
  ])("%s is not used", (_name, body) => {
    expect(readFound(body, "094012834")).toBe("unreadable");
  });
});
