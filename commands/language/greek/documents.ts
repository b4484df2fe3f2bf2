/** `fiscal documents` and what a batch says. */
export const DOCUMENTS = {
  "issue documents from files, look at them, retry, cancel":
    "έκδοση παραστατικών από αρχεία, προβολή, επανάληψη, ακύρωση",
  "issue the documents of files: .json, .ndjson, .csv or .xlsx; - is standard input":
    "εκδίδει τα παραστατικά αρχείων .json, .ndjson, .csv ή .xlsx· το - είναι η τυπική είσοδος",
  "for documents that do not name theirs: id or external id":
    "για όσα παραστατικά δεν ορίζουν τη δική τους: id ή εξωτερικό id",
  "{formats}; otherwise by the name of the file": "{formats}· αλλιώς από το όνομα του αρχείου",
  "for documents that do not name one": "για όσα παραστατικά δεν ορίζουν",
  "check them, and issue nothing": "μόνο έλεγχος, χωρίς έκδοση",
  "write a row for each document (CSV, or a workbook by its name): reference, id, status, series, number, mark, error":
    "γράφει μια γραμμή για κάθε παραστατικό (CSV, ή βιβλίο εργασίας από το όνομα): reference, id, status, series, number, mark, error",
  "end once they are accepted; a server or the next run issues them":
    "τελειώνει μόλις γίνουν δεκτά· τα εκδίδει ένας διακομιστής ή η επόμενη εκτέλεση",
  "A second run of the same files issues nothing twice.\nExit: 2 when a document does not fit or its reference was used for another one (1), 4 when the provider refused one,\n5 when one could not be delivered; the worst of all: 2, 3, 1, 4, 5. Otherwise 0.":
    "Δεύτερη εκτέλεση με τα ίδια αρχεία δεν εκδίδει τίποτα δύο φορές.\nΚωδικός εξόδου: 2 όταν ένα παραστατικό δεν είναι σωστό ή η αναφορά του δόθηκε σε άλλο (1), 4 όταν ο πάροχος απέρριψε ένα,\n5 όταν ένα δεν παραδόθηκε· από όλα το χειρότερο: 2, 3, 1, 4, 5. Αλλιώς 0.",
  "in this provider's format": "στη μορφή αυτού του παρόχου",
  "documents, newest first": "παραστατικά, πρώτα τα νεότερα",
  "of this merchant: id or external id": "αυτής της επιχείρησης: id ή εξωτερικό id",
  "pending, issued, rejected, failed":
    "pending (εκκρεμεί), issued (εκδόθηκε), rejected (απορρίφθηκε), failed (απέτυχε)",
  "of this document type, for example 1.1": "αυτού του τύπου παραστατικού, για παράδειγμα 1.1",
  "of this provider": "αυτού του παρόχου",
  "with this MARK": "με αυτό το ΜΑΡΚ",
  "with this external reference": "με αυτή την εξωτερική αναφορά",
  "with this issue date or a later one": "με αυτή την ημερομηνία έκδοσης ή μεταγενέστερη",
  "with this issue date or an earlier one": "με αυτή την ημερομηνία έκδοσης ή προγενέστερη",
  "accepted at or after": "έγιναν δεκτά τότε ή αργότερα",
  "accepted at or before": "έγιναν δεκτά τότε ή νωρίτερα",
  "one document, by id or external reference": "ένα παραστατικό, με id ή εξωτερική αναφορά",
  "whose reference it is, where several merchants have it":
    "ποιας επιχείρησης είναι η αναφορά, όταν την έχουν περισσότερες",
  "send a failed document again": "στέλνει ξανά ένα παραστατικό που απέτυχε",
  "queue it only; a server or the next run sends it":
    "μόνο το βάζει στη σειρά· το στέλνει ένας διακομιστής ή η επόμενη εκτέλεση",
  "cancel an issued document with the provider": "ακυρώνει στον πάροχο ένα παραστατικό που εκδόθηκε",
  "give up a failed document and its number": "εγκαταλείπει ένα παραστατικό που απέτυχε και τον αριθμό του",
  "why; it stays on record with the number": "ο λόγος· μένει καταγραμμένος μαζί με τον αριθμό",
  "print a file to begin from": "τυπώνει ένα αρχείο για αρχή",
  "for this document type, for example 1.1 (a CSV without it has all of them)":
    "για αυτόν τον τύπο παραστατικού, για παράδειγμα 1.1 (χωρίς αυτό το CSV τους έχει όλους)",
  "csv (default) or json": "csv (αν λείπει) ή json",
  "--json and --format csv contradict each other": "οι --json και --format csv αντιφάσκουν μεταξύ τους",
  "several documents have this reference: add --merchant, or give the id":
    "περισσότερα παραστατικά έχουν αυτή την αναφορά: προσθέστε --merchant ή δώστε το id",
  "There is no document with this id or external reference":
    "Δεν υπάρχει παραστατικό με αυτό το id ή την εξωτερική αναφορά",
  "The merchant has no document with this id or external reference in this mode":
    "Η επιχείρηση δεν έχει παραστατικό με αυτό το id ή την εξωτερική αναφορά σε αυτή τη λειτουργία",
  "There is no such document in this mode": "Δεν υπάρχει τέτοιο παραστατικό σε αυτή τη λειτουργία",
  "Cancel this document with the provider? That cannot be taken back.":
    "Να ακυρωθεί αυτό το παραστατικό στον πάροχο; Δεν αναιρείται.",
  "Why is its number given up?": "Γιατί εγκαταλείπεται ο αριθμός του;",
  "Give up the number of this document? It is never used again.":
    "Να εγκαταλειφθεί ο αριθμός αυτού του παραστατικού; Δεν χρησιμοποιείται ποτέ ξανά.",
  "interrupted: the document is queued, and a server or the next run sends it":
    "διακόπηκε: το παραστατικό είναι στη σειρά και το στέλνει ένας διακομιστής ή η επόμενη εκτέλεση",
  "No documents.": "Δεν υπάρχουν παραστατικά.",
  "warning: {text*}": "προσοχή: {text}",

  "--format is missing: {file} ends in none of .json, .ndjson, .csv and .xlsx":
    "λείπει η --format: το {file} δεν τελειώνει σε .json, .ndjson, .csv ή .xlsx",
  "--merchant is missing: a table does not name its merchant":
    "λείπει η --merchant: ένας πίνακας δεν ορίζει την επιχείρησή του",
  "{file}, line {line} is longer than {max} characters":
    "η γραμμή {line} του {file} ξεπερνά τους {max} χαρακτήρες",
  "More than {max} documents are not printed: --report and --json have each.":
    "Πάνω από {max} παραστατικά δεν τυπώνονται: τα έχουν όλα οι --report και --json.",
  "… and {more} more; --report writes them all.": "… και άλλα {more}· η --report τα γράφει όλα.",
  "{number} documents were accepted before this. Run the same command again to go on: nothing is issued twice.":
    "{number} παραστατικά είχαν γίνει δεκτά πριν από αυτό. Εκτελέστε ξανά την ίδια εντολή για τη συνέχεια: τίποτα δεν εκδίδεται δύο φορές.",
  "interrupted: {number} documents are accepted and will be issued by a server or the next run. Run the same command again to go on: nothing is issued twice.":
    "διακόπηκε: {number} παραστατικά έγιναν δεκτά και θα τα εκδώσει ένας διακομιστής ή η επόμενη εκτέλεση. Εκτελέστε ξανά την ίδια εντολή για τη συνέχεια: τίποτα δεν εκδίδεται δύο φορές.",
  checking: "έλεγχος",
  accepting: "αποδοχή",
  issuing: "έκδοση",
  // Counts of a batch: `10 accepted, 1 refused before sending: 9 issued, 1 rejected.`
  "1 valid": "1 σωστό",
  "1 accepted": "1 δεκτό",
  "1 already accepted before": "1 δεκτό από πριν",
  "1 refused before sending": "1 απορρίφθηκε πριν σταλεί",
  "1 issued": "1 εκδόθηκε",
  "1 rejected": "1 απορρίφθηκε",
  "1 failed": "1 απέτυχε",
  "1 pending": "1 εκκρεμεί",
  "{number} valid": "{number} σωστά",
  "{number} accepted": "{number} δεκτά",
  "{number} already accepted before": "{number} δεκτά από πριν",
  "{number} refused before sending": "{number} απορρίφθηκαν πριν σταλούν",
  "{number} issued": "{number} εκδόθηκαν",
  "{number} rejected": "{number} απορρίφθηκαν",
  "{number} failed": "{number} απέτυχαν",
  "{number} pending": "{number} εκκρεμούν",
} as const;
