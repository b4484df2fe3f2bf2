/** Tables with other columns than ours: the flags of `documents issue` and `preview`, and `documents map`. */
export const TABLES = {
  "the sheet of a workbook; otherwise the first one": "το φύλλο ενός βιβλίου εργασίας· αλλιώς το πρώτο",
  "TOML: what the columns and values of .csv and .xlsx files mean":
    "TOML: τι σημαίνουν οι στήλες και οι τιμές αρχείων .csv και .xlsx",
  "keep the map of --map for the merchant's later files":
    "κρατά την αντιστοίχιση της --map για τα επόμενα αρχεία της επιχείρησης",
  "read without the map that is remembered for the merchant":
    "διαβάζει χωρίς την αντιστοίχιση που κρατήθηκε για την επιχείρηση",
  "what the columns of a merchant's files mean, as `documents issue --remember-map` kept it":
    "τι σημαίνουν οι στήλες των αρχείων μιας επιχείρησης, όπως το κράτησε η `documents issue --remember-map`",
  "print the map as the file that --map takes": "τυπώνει την αντιστοίχιση ως αρχείο που δέχεται η --map",
  "read later files of the merchant without a map":
    "διαβάζει τα επόμενα αρχεία της επιχείρησης χωρίς αντιστοίχιση",
  "Forget the merchant's column map?": "Να ξεχαστεί η αντιστοίχιση στηλών της επιχείρησης;",
  "The column map of {merchant} is forgotten.": "Η αντιστοίχιση στηλών της {merchant} ξεχάστηκε.",
  "No column map is remembered for {merchant}; `fiscal documents issue --map FILE --remember-map` keeps one":
    "Δεν έχει κρατηθεί αντιστοίχιση στηλών για την {merchant}· την κρατά η `fiscal documents issue --map FILE --remember-map`",
  "--map is missing: --remember-map keeps the map of that file":
    "λείπει η --map: η --remember-map κρατά την αντιστοίχιση εκείνου του αρχείου",
  "--{flag} is for tables, and none of the files is .csv or .xlsx":
    "η --{flag} είναι για πίνακες, και κανένα από τα αρχεία δεν είναι .csv ή .xlsx",
  "The column map remembered for {merchant} ({day}) is used; --no-map reads without it.":
    "Χρησιμοποιείται η αντιστοίχιση στηλών που κρατήθηκε για την {merchant} ({day})· η --no-map διαβάζει χωρίς αυτή.",
  "The column map is not remembered: a dry run stores nothing.":
    "Η αντιστοίχιση στηλών δεν κρατείται: μια δοκιμή δεν αποθηκεύει τίποτα.",
  "The column map is remembered for {merchant}: later files are read with it.":
    "Η αντιστοίχιση στηλών κρατήθηκε για την {merchant}: με αυτή διαβάζονται τα επόμενα αρχεία.",
  "{file}: {encoding}, separated by {sign*}": "{file}: {encoding}, διαχωριστικό {sign}",
  "{file}: {encoding}, separated by {sign*}, {decimal*}":
    "{file}: {encoding}, διαχωριστικό {sign}, {decimal}",
  tabs: "στηλοθέτης",
  "decimal comma": "υποδιαστολή κόμμα",
  "decimal point": "υποδιαστολή τελεία",
} as const;
