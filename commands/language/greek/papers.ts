/** What is made of documents: `fiscal documents preview`, `export` and `pdf`. */
export const PAPERS = {
  "show what would be sent, and why it would be so; nothing is sent or stored":
    "δείχνει τι θα στελνόταν και γιατί έτσι· τίποτα δεν στέλνεται ούτε αποθηκεύεται",
  "who issues it, where the file does not say: id or external id":
    "ποιος το εκδίδει, όταν δεν το λέει το αρχείο: id ή εξωτερικό id",
  "show what the provider would receive, too": "δείχνει και τι θα λάμβανε ο πάροχος",
  "of several documents the first n (default 20, with --json all)":
    "από πολλά παραστατικά τα πρώτα n (αν λείπει: 20, με --json όλα)",
  "FILE holds the canonical document itself, a body that has it under document, or several: .json, .ndjson, .csv, .xlsx.\nExit: 2 when a document does not fit. --json prints the API's object, or a list of them for several documents.":
    "Το FILE έχει το ίδιο το παραστατικό, ένα σώμα που το έχει στο document, ή πολλά: .json, .ndjson, .csv, .xlsx.\nΚωδικός εξόδου: 2 όταν ένα παραστατικό δεν είναι σωστό. Η --json τυπώνει το αντικείμενο του API, ή λίστα όταν είναι πολλά.",
  "There are more documents: --limit takes more than {number}.":
    "Υπάρχουν κι άλλα παραστατικά: η --limit δέχεται πάνω από {number}.",
  "sales invoice": "τιμολόγιο πώλησης",
  "service invoice": "τιμολόγιο παροχής υπηρεσιών",
  "credit note, associated": "πιστωτικό τιμολόγιο, συσχετιζόμενο",
  "credit note, not associated": "πιστωτικό τιμολόγιο, μη συσχετιζόμενο",
  "retail sales receipt": "απόδειξη λιανικής πώλησης",
  "retail service receipt": "απόδειξη παροχής υπηρεσιών",
  ", sent as {code}": ", στέλνεται ως {code}",
  "given by the provider": "τον δίνει ο πάροχος",
  "{series} {number}, not reserved": "{series} {number}, χωρίς δέσμευση",
  "(assumed: none is given)": "(υπόθεση: δεν δόθηκε πληρωμή)",
  "branch {number}": "εγκατάσταση {number}",
  given: "δόθηκε",
  "merchant's settings": "ρυθμίσεις της επιχείρησης",
  "from the original": "από το αρχικό παραστατικό",
  "default for {code}": "προεπιλογή για {code}",
  "default for {code} to a customer in Greece": "προεπιλογή για {code} σε πελάτη στην Ελλάδα",
  "default for {code} to another EU country": "προεπιλογή για {code} σε άλλη χώρα της ΕΕ",
  "default for {code} outside the EU": "προεπιλογή για {code} εκτός ΕΕ",
  requested: "ζητήθηκε",
  "the merchant's only active connection": "η μόνη ενεργή σύνδεση της επιχείρησης",
  "{reason*}; test mode shows the sandbox":
    "{reason}· στη δοκιμαστική λειτουργία δείχνει το περιβάλλον δοκιμών",
  "{reason*}; live mode shows the registry": "{reason}· στην παραγωγική λειτουργία δείχνει την ΑΑΔΕ",
  "the merchant has no active connection": "η επιχείρηση δεν έχει ενεργή σύνδεση",
  "the merchant has several connections": "η επιχείρηση έχει περισσότερες συνδέσεις",
  "no merchant has this tax number": "καμία επιχείρηση δεν έχει αυτό το ΑΦΜ",
  "several merchants have this tax number": "περισσότερες επιχειρήσεις έχουν αυτό το ΑΦΜ",

  "the documents of a span of issue dates, a row each, with totals: for the books":
    "τα παραστατικά ενός διαστήματος, μία γραμμή το καθένα, με σύνολα: για τα βιβλία",
  "first issue date, in Athens": "πρώτη ημερομηνία έκδοσης, ώρα Αθήνας",
  "last issue date": "τελευταία ημερομηνία έκδοσης",
  "pending, issued, rejected, failed; several with commas (default issued, with the cancelled ones)":
    "pending, issued, rejected, failed· πολλές με κόμμα (αν λείπει: issued, μαζί με όσα ακυρώθηκαν)",
  "csv, xlsx, json (default csv)": "csv, xlsx, json (αν λείπει: csv)",
  "write to this file; - is standard output (default)":
    "γράφει σε αυτό το αρχείο· το - είναι η τυπική έξοδος (αν λείπει)",
  "write the totals of a CSV to this file, too": "γράφει και τα σύνολα ενός CSV, σε αυτό το αρχείο",
  "of a CSV: semicolon, comma, tab (default semicolon)":
    "διαχωριστικό του CSV: semicolon (;), comma (,), tab (αν λείπει: semicolon)",
  "sign of a CSV: comma, point (default comma)":
    "υποδιαστολή του CSV: comma (,), point (.) (αν λείπει: comma)",
  "Amounts stand as the documents state them. The column counts says how a row goes into the totals: 1, -1 for a credit\nnote (5.1, 5.2), 0 for one that is cancelled or was not issued.":
    "Τα ποσά είναι όπως τα γράφουν τα παραστατικά. Η στήλη counts λέει πώς μετρά η γραμμή στα σύνολα: 1, -1 για πιστωτικό\n(5.1, 5.2), 0 για όποιο ακυρώθηκε ή δεν εκδόθηκε.",
  "--json and --format {format} ask for two things; leave one out":
    "οι --json και --format {format} ζητούν δύο πράγματα· παραλείψτε το ένα",
  "--{flag} is for --format csv; {format} needs none":
    "η --{flag} είναι για --format csv· το {format} δεν τη χρειάζεται",
  "--totals and --output name the same file": "οι --totals και --output ορίζουν το ίδιο αρχείο",
  "--output is missing: a workbook cannot be shown on a terminal":
    "λείπει η --output: ένα βιβλίο εργασίας δεν εμφανίζεται σε τερματικό",
  "--from is missing: the first issue date, like 2026-10-01":
    "λείπει η --from: η πρώτη ημερομηνία έκδοσης, όπως 2026-10-01",
  "--to is missing: the last issue date, like 2026-10-31":
    "λείπει η --to: η τελευταία ημερομηνία έκδοσης, όπως 2026-10-31",
  "--to is before --from": "η --to είναι πριν από την --from",
  "interrupted: what was printed is not the whole export":
    "διακόπηκε: όσα τυπώθηκαν δεν είναι ολόκληρη η εξαγωγή",
  "interrupted: the file was not written": "διακόπηκε: το αρχείο δεν γράφτηκε",
  "there are more than {max} documents, too many for a workbook: use --format csv, or fewer days":
    "τα παραστατικά είναι πάνω από {max}, πολλά για βιβλίο εργασίας: χρησιμοποιήστε --format csv ή λιγότερες ημέρες",
  exporting: "εξαγωγή",
  "type {code}": "τύπος {code}",
  "VAT {rate}% ({category})": "ΦΠΑ {rate}% ({category})",
  all: "όλα",
  "In euro. Credit notes (5.1, 5.2) count negative, cancelled documents not at all.":
    "Σε ευρώ. Τα πιστωτικά (5.1, 5.2) μετρούν αρνητικά, όσα ακυρώθηκαν καθόλου.",

  "write the PDF of an issued document, or of every one issued in a range of days":
    "γράφει το PDF ενός παραστατικού που εκδόθηκε, ή όλων όσων εκδόθηκαν σε ένα διάστημα",
  "where to; - is standard output (default: <series>-<number>.pdf in this folder)":
    "πού· το - είναι η τυπική έξοδος (αν λείπει: <σειρά>-<αριθμός>.pdf σε αυτόν τον φάκελο)",
  "every document with this issue date or a later one":
    "κάθε παραστατικό με αυτή την ημερομηνία έκδοσης ή μεταγενέστερη",
  "… and this issue date or an earlier one": "… και με αυτή την ημερομηνία έκδοσης ή προγενέστερη",
  "the folder for those; files that are there already are skipped":
    "ο φάκελος για αυτά· όσα αρχεία υπάρχουν ήδη προσπερνιούνται",
  "whose reference it is, or whose documents: id or external id":
    "ποιας επιχείρησης είναι η αναφορά ή τα παραστατικά: id ή εξωτερικό id",
  "write over files that are there": "αντικαθιστά όσα αρχεία υπάρχουν",
  "--from, --to and --out are for every document of a range: leave the document out":
    "οι --from, --to και --out είναι για όλα τα παραστατικά ενός διαστήματος: παραλείψτε το παραστατικό",
  "--output is for one document: name it, or use --out":
    "η --output είναι για ένα παραστατικό: ορίστε το ή χρησιμοποιήστε --out",
  "the document is missing: name one, or give --from, --to and --out for every one of a range":
    "λείπει το παραστατικό: ορίστε ένα, ή δώστε --from, --to και --out για όλα ενός διαστήματος",
  "--from is later than --to": "η --from είναι μετά την --to",
  "{file} is there already; add --force to write over it, or give another --output":
    "το {file} υπάρχει ήδη· προσθέστε --force για να αντικατασταθεί ή δώστε άλλη --output",
  "--json and --output - both want standard output; give a file":
    "οι --json και --output - θέλουν και οι δύο την τυπική έξοδο· δώστε αρχείο",
  "a PDF is not for a terminal: give a file with --output, or send it into a pipe":
    "ένα PDF δεν είναι για τερματικό: δώστε αρχείο με --output ή στείλτε το σε σωλήνα",
  writing: "εγγραφή",
  "{number} written, {more} there already, {max} failed":
    "{number} γράφτηκαν, {more} υπήρχαν ήδη, {max} απέτυχαν",
  "interrupted: {counts*}. Run the same command again to go on: files that are there are skipped.":
    "διακόπηκε: {counts}. Εκτελέστε ξανά την ίδια εντολή για τη συνέχεια: όσα αρχεία υπάρχουν προσπερνιούνται.",
  "Run the same command again to get the rest.": "Εκτελέστε ξανά την ίδια εντολή για τα υπόλοιπα.",
  "The document has no MARK yet; {next*}": "Το παραστατικό δεν έχει ακόμη ΜΑΡΚ· {next}",
  "retry the document": "επαναλάβετε το παραστατικό",
  "ask again once the document is issued": "ζητήστε το ξανά όταν εκδοθεί το παραστατικό",
  "{place}: issuing would refuse this: {message}": "{place}: δεν θα μπορούσε να εκδοθεί: {message}",
} as const;
