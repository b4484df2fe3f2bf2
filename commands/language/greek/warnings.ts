/** What a document was accepted with, though it may not be what was meant: warnings of classification and provider. */
export const WARNINGS = {
  "line {line}: took the default classification {pair}":
    "γραμμή {line}: πήρε τον προεπιλεγμένο χαρακτηρισμό {pair}",
  "line {line}: took the default classification {category} with {type}":
    "γραμμή {line}: πήρε τον προεπιλεγμένο χαρακτηρισμό {category} με {type}",
  "line {line}: took the classification of the original {pair}":
    "γραμμή {line}: πήρε τον χαρακτηρισμό του αρχικού {pair}",
  "line {line}: took the classification of the original {category} with {type}":
    "γραμμή {line}: πήρε τον χαρακτηρισμό του αρχικού {category} με {type}",
  "line {line}: the authority does not list {pair} for type {type} and may refuse it":
    "γραμμή {line}: η ΑΑΔΕ δεν προβλέπει {pair} για τον τύπο {type} και ίσως το απορρίψει",
  "line {line}: its net amount is 0; the authority may refuse it (222)":
    "γραμμή {line}: η καθαρή της αξία είναι 0· η ΑΑΔΕ ίσως το απορρίψει (222)",
  "payments: none given, the whole gross is sent as {method}":
    "πληρωμές: δεν δόθηκαν, όλο το σύνολο στέλνεται ως {method}",
  "customer: abroad, and lines carry VAT; the authority expects exempt lines with their cause":
    "πελάτης: εξωτερικού, και οι γραμμές έχουν ΦΠΑ· η ΑΑΔΕ περιμένει απαλλασσόμενες γραμμές με την αιτία τους",
  "customer: the authority has no code for Northern Ireland; GB is sent, which it may refuse for a sale within the EU (243)":
    "πελάτης: η ΑΑΔΕ δεν έχει κωδικό για τη Βόρεια Ιρλανδία· στέλνεται GB, που ίσως το απορρίψει για πώληση εντός ΕΕ (243)",
  "customer: its tax number begins with the prefix of its country, which is to be left out":
    "πελάτης: ο αριθμός ΦΠΑ αρχίζει με το πρόθεμα της χώρας, που πρέπει να λείπει",
  "supplier: no address, which an invoice must show: give supplier.address, or set the merchant's paper.address":
    "εκδότης: χωρίς διεύθυνση, που πρέπει να φαίνεται στο τιμολόγιο: δώστε supplier.address ή ορίστε το paper.address της επιχείρησης",
  "customer: no name, which an invoice must show although the registry does not need it":
    "πελάτης: χωρίς επωνυμία, που πρέπει να φαίνεται στο τιμολόγιο, αν και η ΑΑΔΕ δεν τη χρειάζεται",
  "customer: no address, which an invoice must show although the registry does not need it":
    "πελάτης: χωρίς διεύθυνση, που πρέπει να φαίνεται στο τιμολόγιο, αν και η ΑΑΔΕ δεν τη χρειάζεται",
  "totals: credits {number} cents, more than the {max} of what it refers to":
    "σύνολα: πιστώνει {number} λεπτά, περισσότερα από τα {max} εκείνων όπου αναφέρεται",
  "invoices between Greek businesses dated from {day} on must be issued through a licensed provider; this one goes straight to the registry":
    "τα τιμολόγια μεταξύ ελληνικών επιχειρήσεων από {day} και μετά πρέπει να εκδίδονται μέσω αδειοδοτημένου παρόχου· αυτό πηγαίνει κατευθείαν στην ΑΑΔΕ",
} as const;
