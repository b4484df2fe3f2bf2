/** The program as a whole: its help and its global flags, commander's words, and the errors of the command line. */
export const PROGRAM = {
  "Issues Greek fiscal documents, and keeps account of every one.":
    "Εκδίδει ελληνικά φορολογικά παραστατικά και κρατά λογαριασμό για το καθένα.",
  "Usage:": "Χρήση:",
  "Arguments:": "Ορίσματα:",
  "Options:": "Επιλογές:",
  "Global Options:": "Γενικές επιλογές:",
  "Commands:": "Εντολές:",
  "[options]": "[επιλογές]",
  "[command]": "[εντολή]",
  "Examples:": "Παραδείγματα:",
  "display help for command": "εμφανίζει τη βοήθεια της εντολής",
  "print the version": "τυπώνει την έκδοση του προγράμματος",
  "configuration file": "αρχείο ρυθμίσεων",
  "where the database and the master key lie": "πού βρίσκονται η βάση δεδομένων και το κύριο κλειδί",
  "live mode instead of test mode": "παραγωγική λειτουργία αντί για δοκιμαστική",
  "print the API's own object or list": "τυπώνει το αντικείμενο ή τη λίστα του API",
  "only the result and errors: no progress, no notes":
    "μόνο το αποτέλεσμα και τα σφάλματα: ούτε πρόοδος ούτε σημειώσεις",
  "no colours; NO_COLOR and FORCE_COLOR are heeded too":
    "χωρίς χρώματα· ισχύουν και τα NO_COLOR και FORCE_COLOR",
  "the language of what a person reads": "η γλώσσα όσων διαβάζει άνθρωπος",
  "do not ask": "χωρίς ερώτηση",
  "asks for the credentials": "ζητά τα διαπιστευτήρια",
  "runs until Ctrl-C": "συνεχίζει μέχρι το Ctrl-C",

  "make the data directory, the master key and the database":
    "φτιάχνει τον φάκελο δεδομένων, το κύριο κλειδί και τη βάση",
  "Make the database {file}?": "Να δημιουργηθεί η βάση {file};",
  "Nothing was made.": "Δεν δημιουργήθηκε τίποτα.",
  "It was there already and is in order; nothing was changed.":
    "Υπήρχε ήδη και είναι εντάξει· δεν άλλαξε τίποτα.",
  'Ready. Keep the master key apart from the backups of the database: each is of no use without the other.\nNext: fiscal merchants add --external-id shop --name "…" --tax-id …, then fiscal keys create --mode test --name shop':
    'Έτοιμο. Φυλάξτε το κύριο κλειδί χωριστά από τα αντίγραφα της βάσης: το ένα είναι άχρηστο χωρίς το άλλο.\nΣτη συνέχεια: fiscal merchants add --external-id shop --name "…" --tax-id …, έπειτα fiscal keys create --mode test --name shop',
  "issue the example documents in a sandbox of their own":
    "εκδίδει τα παραστατικά του παραδείγματος σε δικό τους περιβάλλον δοκιμών",
  "quickstart issues in the sandbox: leave --live out":
    "το quickstart εκδίδει στο περιβάλλον δοκιμών: παραλείψτε το --live",
  "Data directory: {folder}": "Φάκελος δεδομένων: {folder}",
  "API key (test mode, shown this once): {key}": "Κλειδί API (δοκιμαστικό, εμφανίζεται μόνο τώρα): {key}",
  "API key: made before (…{end}); it was shown then and cannot be shown again. {next}":
    "Κλειδί API: υπάρχει από πριν (…{end})· εμφανίστηκε τότε και δεν μπορεί να εμφανιστεί ξανά. Άλλο φτιάχνει η `fiscal keys create`.",
  "The refused one is meant to be: it shows what a refusal looks like.":
    "Εκείνο που απορρίφθηκε είναι εκεί επίτηδες: δείχνει πώς μοιάζει μια απόρριψη.",
  "All of them were there from an earlier run: nothing was issued twice. {rest*}":
    "Υπήρχαν όλα από προηγούμενη εκτέλεση: τίποτα δεν εκδόθηκε δεύτερη φορά. {rest}",
  "\nTry next:\n{first}\n{second}\n{third}": "\nΔοκιμάστε στη συνέχεια:\n{first}\n{second}\n{third}",
  "run the HTTP server and issue in the background": "τρέχει τον διακομιστή HTTP και εκδίδει στο παρασκήνιο",
  "address to listen on (default 127.0.0.1)": "διεύθυνση όπου ακούει (αν λείπει: 127.0.0.1)",
  "port to listen on (default 8787); 0 takes a free one":
    "θύρα όπου ακούει (αν λείπει: 8787)· με 0 παίρνει μια ελεύθερη",
  "socket file to listen on in place of an address and a port":
    "αρχείο socket όπου ακούει, στη θέση διεύθυνσης και θύρας",
  "certificate in PEM, with its chain: speaks https":
    "πιστοποιητικό σε PEM, μαζί με την αλυσίδα του: μιλά https",
  "its private key in PEM": "το ιδιωτικό κλειδί του σε PEM",
  "--socket and --host or --port contradict each other; give the one or the other":
    "η --socket αντιφάσκει με τις --host και --port· δώστε το ένα ή το άλλο",
  "fiscal listens on {url}": "το fiscal ακούει στο {url}",
  "print a one-time link into the console of a running server":
    "τυπώνει σύνδεσμο μιας χρήσης για την κονσόλα ενός διακομιστή που τρέχει",
  "where the server is reached (default: server.public_url, or where it listens)":
    "πού βρίσκεται ο διακομιστής (αν λείπει: το server.public_url, ή όπου ακούει)",
  "port that the server listens on": "θύρα όπου ακούει ο διακομιστής",
  "end every session and every unused link, in both modes, and print none":
    "τερματίζει κάθε συνεδρία και κάθε αχρησιμοποίητο σύνδεσμο, και στις δύο λειτουργίες, χωρίς να τυπώνει νέο",
  "--url and --port contradict each other; give one of them":
    "οι --url και --port αντιφάσκουν μεταξύ τους· δώστε μία από τις δύο",
  "--url takes an http or https address, such as https://fiscal.example.com":
    "η --url δέχεται διεύθυνση http ή https, όπως https://fiscal.example.com",
  "--sign-out-all prints no link: leave --url and --port out":
    "η --sign-out-all δεν τυπώνει σύνδεσμο: παραλείψτε τις --url και --port",
  "Signs in once to {mode} mode, until {instant}, while `fiscal serve` runs. Whoever has it is you: do not pass it on.":
    "Ισχύει για μία σύνδεση στη λειτουργία {mode}, έως {instant}, όσο τρέχει η `fiscal serve`. Όποιος τον έχει είστε εσείς: μην τον δώσετε αλλού.",
  "{number} session ended": "τερματίστηκε {number} συνεδρία",
  "{number} sessions ended": "τερματίστηκαν {number} συνεδρίες",
  "print a script that completes nouns, flags, files and names in the shell":
    "τυπώνει κώδικα που συμπληρώνει εντολές, επιλογές, αρχεία και ονόματα στο κέλυφος",
  "the shell": "το κέλυφος",
  "The script says how it is installed. It completes nouns, verbs, flags and their values, files, and merchants, documents\nand ids as the database has them; it reads only, and honours --data-dir, --config and --live on the line.":
    "Ο κώδικας λέει ο ίδιος πώς εγκαθίσταται. Συμπληρώνει εντολές, επιλογές και τιμές τους, αρχεία, και επιχειρήσεις,\nπαραστατικά και ids όπως τα έχει η βάση· μόνο διαβάζει, και ακολουθεί τα --data-dir, --config και --live της γραμμής.",

  "Add --help to see how it is used.": "Προσθέστε --help για να δείτε τη χρήση.",
  "Look it up with `list`; what is of the other mode shows with or without --live.":
    "Αναζητήστε το με `list`· ό,τι ανήκει στην άλλη λειτουργία φαίνεται με ή χωρίς --live.",
  "`fiscal --live {noun} list` lists what there is; what is of test mode shows without --live.":
    "Η `fiscal --live {noun} list` δείχνει τι υπάρχει· ό,τι είναι δοκιμαστικό φαίνεται χωρίς --live.",
  "`fiscal {noun} list` lists what there is; what is of live mode shows with --live.":
    "Η `fiscal {noun} list` δείχνει τι υπάρχει· ό,τι είναι παραγωγικό φαίνεται με --live.",
  "Try the same command again: nothing is issued twice.":
    "Δοκιμάστε ξανά την ίδια εντολή: τίποτα δεν εκδίδεται δύο φορές.",
  "unknown command '{name}'": "άγνωστη εντολή «{name}»",
  "unknown command '{name}'. Did you mean {near}?": "άγνωστη εντολή «{name}». Μήπως εννοείτε {near};",
  "unknown command '{name}'. Did you mean one of {near}?":
    "άγνωστη εντολή «{name}». Μήπως εννοείτε ένα από τα {near};",
  "unknown option '{name}'": "άγνωστη επιλογή «{name}»",
  "unknown option '{name}'. Did you mean {near}?": "άγνωστη επιλογή «{name}». Μήπως εννοείτε {near};",
  "unknown option '{name}'. Did you mean one of {near}?":
    "άγνωστη επιλογή «{name}». Μήπως εννοείτε ένα από τα {near};",
  "missing required argument '{name}'": "λείπει το όρισμα «{name}»",
  "missing required argument '{name}'; `fiscal {noun} list` lists them":
    "λείπει το όρισμα «{name}»· η `fiscal {noun} list` δείχνει ποια υπάρχουν",
  "option '{flags}' argument missing": "λείπει η τιμή της επιλογής «{flags}»",
  "too many arguments. Expected {expected} argument but got {received}":
    "περισσότερα ορίσματα απ' όσα χρειάζονται: αναμένεται {expected}, δόθηκαν {received}",
  "too many arguments. Expected {expected} arguments but got {received}":
    "περισσότερα ορίσματα απ' όσα χρειάζονται: αναμένονται {expected}, δόθηκαν {received}",
  "too many arguments for '{command}'. Expected {expected} argument but got {received}":
    "περισσότερα ορίσματα για την «{command}» απ' όσα χρειάζονται: αναμένεται {expected}, δόθηκαν {received}",
  "too many arguments for '{command}'. Expected {expected} arguments but got {received}":
    "περισσότερα ορίσματα για την «{command}» απ' όσα χρειάζονται: αναμένονται {expected}, δόθηκαν {received}",
  "--{flag} takes a whole number from {min} to {max}": "η --{flag} δέχεται ακέραιο από {min} έως {max}",
  "--{flag} takes one of {words}": "η --{flag} δέχεται ένα από τα {words}",
  "the shell takes one of {words}": "το κέλυφος είναι ένα από τα {words}",
  "--{flag} takes a value like {example}": "η --{flag} δέχεται τιμή όπως {example}",
  "--{flag} takes a day like 2026-11-02": "η --{flag} δέχεται ημέρα, όπως 2026-11-02",
  "--{flag} takes a date-time in UTC like 2026-11-02T08:30:00Z, or a day like 2026-11-02":
    "η --{flag} δέχεται ημερομηνία και ώρα UTC, όπως 2026-11-02T08:30:00Z, ή ημέρα, όπως 2026-11-02",
  "--{flag} takes key=value": "η --{flag} δέχεται όνομα=τιμή",
  "--{flag} is missing": "λείπει η --{flag}",
  "--{flag} is missing: one of {words}": "λείπει η --{flag}: ένα από τα {words}",
  "--yes is missing: this asks for confirmation, and there is no terminal to ask on":
    "λείπει η --yes: χρειάζεται επιβεβαίωση και δεν υπάρχει τερματικό για την ερώτηση",
  "interrupted at a question; nothing was changed": "διακόπηκε σε ερώτηση· δεν άλλαξε τίποτα",
  "You must provide a value": "Χρειάζεται τιμή",
  "Nothing was changed.": "Δεν άλλαξε τίποτα.",
  "{file} cannot be used: {reason*}": "το {file} δεν μπορεί να χρησιμοποιηθεί: {reason}",
  "there is no such file or folder": "δεν υπάρχει τέτοιο αρχείο ή φάκελος",
  "it is a folder": "είναι φάκελος",
  "it may not be opened": "δεν επιτρέπεται να ανοίξει",
  "a part of its path is no folder": "ένα μέρος της διαδρομής του δεν είναι φάκελος",
  "something else is in its place": "κάτι άλλο βρίσκεται στη θέση του",
  "the disk is mounted for reading only": "ο δίσκος είναι προσαρτημένος μόνο για ανάγνωση",
  "the disk is full": "ο δίσκος είναι γεμάτος",
  "the disk quota is used up": "το όριο χώρου του δίσκου εξαντλήθηκε",
  "{file} is larger than {bytes} bytes; use .ndjson, one document a line":
    "το {file} ξεπερνά τα {bytes} byte· χρησιμοποιήστε .ndjson, ένα παραστατικό ανά γραμμή",
  "{file} is not UTF-8; save it as UTF-8 and try again":
    "το {file} δεν είναι UTF-8· αποθηκεύστε το ως UTF-8 και δοκιμάστε ξανά",
  "{file} is not UTF-8 after line {line}; save it as UTF-8 and try again":
    "το {file} δεν είναι UTF-8 μετά τη γραμμή {line}· αποθηκεύστε το ως UTF-8 και δοκιμάστε ξανά",
  "{file} is not UTF-8 text": "το {file} δεν είναι κείμενο UTF-8",
  "The data directory {folder} cannot be used: {reason}; give another with --data-dir":
    "Ο φάκελος δεδομένων {folder} δεν μπορεί να χρησιμοποιηθεί: {reason}· δώστε άλλον με --data-dir",
  "The configuration file {file} is not there": "Το αρχείο ρυθμίσεων {file} δεν υπάρχει",
  "The master key is not the one that this database was made with; give the right one":
    "Το κύριο κλειδί δεν είναι εκείνο με το οποίο φτιάχτηκε αυτή η βάση· δώστε το σωστό",

  "how many, 1 to 100 (default 10)": "πόσα, από 1 έως 100 (αν λείπει: 10)",
  "those after (older than) this one": "όσα έπονται (τα παλαιότερα) από αυτό",
  "those before (newer than) this one": "όσα προηγούνται (τα νεότερα) από αυτό",
  "all of them, page by page": "όλα, σελίδα προς σελίδα",
  "--all goes from newer to older: use it with --starting-after, not with --ending-before":
    "η --all πηγαίνει από τα νεότερα στα παλαιότερα: συνδυάζεται με --starting-after, όχι με --ending-before",
  "There are more: add --starting-after {id}, or --all.":
    "Υπάρχουν κι άλλα: προσθέστε --starting-after {id} ή --all.",
  "There are more: add --ending-before {id}.": "Υπάρχουν κι άλλα: προσθέστε --ending-before {id}.",
  "--after and --from-start contradict each other": "οι --after και --from-start αντιφάσκουν μεταξύ τους",
} as const;
