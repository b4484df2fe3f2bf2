/** `fiscal merchants`, `connections`, `keys` and `tax-id`. */
export const MERCHANTS = {
  "the businesses on whose behalf documents are issued":
    "οι επιχειρήσεις για λογαριασμό των οποίων εκδίδονται παραστατικά",
  "add a merchant": "προσθέτει επιχείρηση",
  "your own id of the merchant, unique ignoring case":
    "ο δικός σας κωδικός της επιχείρησης, μοναδικός χωρίς διάκριση πεζών και κεφαλαίων",
  "the merchant's name": "η επωνυμία της επιχείρησης",
  "Greek tax number (ΑΦΜ)": "ΑΦΜ",
  "branch; 0 is the head office": "εγκατάσταση· το 0 είναι η έδρα",
  "a pair of your own; may be repeated": "ένα δικό σας ζεύγος· επαναλαμβάνεται",
  "change what is given": "αλλάζει ό,τι δίνεται",
  "set a pair; an empty value removes it; may be repeated":
    "ορίζει ένα ζεύγος· κενή τιμή το αφαιρεί· επαναλαμβάνεται",
  "show the settings (classification, numbering, paper), or replace them whole from a JSON file":
    "δείχνει τις ρυθμίσεις (χαρακτηρισμοί, αρίθμηση, έντυπο) ή τις αντικαθιστά ολόκληρες από αρχείο JSON",
  "the new settings; - reads standard input": "οι νέες ρυθμίσεις· το - διαβάζει την τυπική είσοδο",
  "merchants, newest first": "επιχειρήσεις, πρώτα οι νεότερες",
  "with this external id": "με αυτό το εξωτερικό id",
  "with this tax number": "με αυτό το ΑΦΜ",
  "archived ones, or the others": "οι αρχειοθετημένες ή οι υπόλοιπες",
  "one merchant": "μία επιχείρηση",
  "issue nothing new for this merchant": "παύει η έκδοση για αυτή την επιχείρηση",
  "issue for this merchant again": "ξαναρχίζει η έκδοση για αυτή την επιχείρηση",
  "Your own id of the merchant": "Ο δικός σας κωδικός της επιχείρησης",
  Name: "Επωνυμία",
  "Merchant (type a part of its id, name or tax number)":
    "Επιχείρηση (γράψτε μέρος του κωδικού, της επωνυμίας ή του ΑΦΜ)",
  "there is no merchant yet: `fiscal merchants add` adds one":
    "δεν υπάρχει ακόμη επιχείρηση: την προσθέτει η `fiscal merchants add`",
  "nothing to change: give --external-id, --name, --tax-id, --branch or --metadata":
    "δεν δόθηκε τίποτα προς αλλαγή: δώστε --external-id, --name, --tax-id, --branch ή --metadata",
  "Archive this merchant? Nothing new is issued for it from then on.":
    "Να αρχειοθετηθεί αυτή η επιχείρηση; Από εκεί και πέρα δεν εκδίδεται τίποτα νέο για αυτήν.",
  "There is no merchant with this id or external id; see `fiscal merchants list`":
    "Δεν υπάρχει επιχείρηση με αυτό το id ή εξωτερικό id· δείτε την `fiscal merchants list`",
  "A merchant with this external id exists; `fiscal merchants show` with that external id shows it":
    "Υπάρχει επιχείρηση με αυτό το εξωτερικό id· τη δείχνει η `fiscal merchants show` με αυτό το id",
  "No merchants.": "Δεν υπάρχουν επιχειρήσεις.",

  "merchants' credentials for a provider: add, verify, disconnect, send a link":
    "διαπιστευτήρια επιχειρήσεων σε πάροχο: προσθήκη, έλεγχος, αποσύνδεση, σύνδεσμος",
  "connect a merchant to a provider, once the provider has seen the credentials":
    "συνδέει μια επιχείρηση με πάροχο, αφού ο πάροχος δει τα διαπιστευτήρια",
  "id or external id": "id ή εξωτερικό id",
  "registry_direct, provider_a, provider_b, provider_c, provider_d, provider_e":
    "registry_direct (ΑΑΔΕ), provider_a, provider_b, provider_c, provider_d, provider_e",
  "the registry's REST user name (a secret)": "το όνομα χρήστη REST της ΑΑΔΕ (απόρρητο)",
  "a file that holds it; - is standard input": "αρχείο που το περιέχει· το - είναι η τυπική είσοδος",
  "the registry's subscription key (a secret)": "το subscription key της ΑΑΔΕ (απόρρητο)",
  "the provider's API key (a secret)": "το κλειδί API του παρόχου (απόρρητο)",
  "of the login at the provider": "της σύνδεσης στον πάροχο",
  "the user id at the provider, instead of --email": "το id χρήστη στον πάροχο, αντί για --email",
  "any credential by its name, for other providers; may be repeated":
    "οποιοδήποτε διαπιστευτήριο με το όνομά του, για άλλους παρόχους· επαναλαμβάνεται",
  "the same from a file; may be repeated": "το ίδιο από αρχείο· επαναλαμβάνεται",
  "a repetition under the same key answers what the first one made":
    "επανάληψη με το ίδιο κλειδί απαντά ό,τι έφτιαξε η πρώτη",
  "registry_direct takes --user-id and --subscription-key, provider_a --api-key and --email or --provider-user-id.\nEach is also read from the environment: FISCAL_CREDENTIAL_USER_ID and so on. What is missing is asked for on a terminal;\na secret belongs there, in a file or in the environment: as a flag it stays in the shell's history.\nExit: 4 when the provider refused the credentials (the connection is kept as invalid), 5 when it gave no answer.":
    "Το registry_direct θέλει --user-id και --subscription-key, το provider_a --api-key και --email ή --provider-user-id.\nΚαθένα διαβάζεται και από το περιβάλλον: FISCAL_CREDENTIAL_USER_ID και ούτω καθεξής. Ό,τι λείπει ζητείται στο τερματικό·\nένα απόρρητο ανήκει εκεί, σε αρχείο ή στο περιβάλλον: ως επιλογή μένει στο ιστορικό του κελύφους.\nΚωδικός εξόδου: 4 όταν ο πάροχος αρνήθηκε τα διαπιστευτήρια (η σύνδεση μένει άκυρη), 5 όταν δεν απάντησε.",
  "print a link at which the merchant enters the credentials; it is shown this once":
    "τυπώνει σύνδεσμο όπου η επιχείρηση δίνει τα διαπιστευτήρια· εμφανίζεται μόνο μία φορά",
  "for this provider only; otherwise the merchant chooses":
    "μόνο για αυτόν τον πάροχο· αλλιώς διαλέγει η επιχείρηση",
  "where the page leads once the merchant is connected": "πού οδηγεί η σελίδα όταν συνδεθεί η επιχείρηση",
  "connections of the mode, newest first": "συνδέσεις της λειτουργίας, πρώτα οι νεότερες",
  "one connection, without its credentials": "μία σύνδεση, χωρίς τα διαπιστευτήριά της",
  "ask the provider again whether it takes the credentials; what waited for it goes on":
    "ρωτά ξανά τον πάροχο αν δέχεται τα διαπιστευτήρια· ό,τι περίμενε συνεχίζει",
  "use it no more; its credentials are deleted 30 days later":
    "παύει η χρήση της· τα διαπιστευτήρια διαγράφονται 30 ημέρες αργότερα",
  "--idempotency-key takes 1 to 255 printable ASCII characters without spaces":
    "η --idempotency-key δέχεται 1 έως 255 εκτυπώσιμους χαρακτήρες ASCII χωρίς κενά",
  "It was made under this idempotency key before; this is what was answered then.":
    "Έγινε ήδη με αυτό το κλειδί· αυτή ήταν η απάντηση τότε.",
  Provider: "Πάροχος",
  "Give one of these": "Δώστε ένα από αυτά",
  "--{flag} does not belong to this provider; it takes {flags}":
    "η --{flag} δεν ανήκει σε αυτόν τον πάροχο· δέχεται {flags}",
  "give only one of {names}": "δώστε μόνο ένα από τα {names}",
  "only one of {flags} can read standard input":
    "μόνο μία από τις {flags} μπορεί να διαβάσει την τυπική είσοδο",
  "--{flags} are missing": "λείπουν οι --{flags}",
  "{file} holds more than {max} bytes: no credential":
    "το {file} έχει πάνω από {max} byte: δεν είναι διαπιστευτήριο",
  "warning: a secret given as a flag ({flag}) stays in the shell's history; {better} keeps it out":
    "προσοχή: ένα απόρρητο ως επιλογή ({flag}) μένει στο ιστορικό του κελύφους· το αποφεύγετε με {better}",
  "The provider refused the credentials": "Ο πάροχος αρνήθηκε τα διαπιστευτήρια",
  "The provider refused the credentials: {words}": "Ο πάροχος αρνήθηκε τα διαπιστευτήρια: {words}",
  "Pending documents that wait for a connection, because its provider refuses the account or it is disconnected: {documents}. They go on once it is accepted again: {verify}, or connect the merchant anew":
    "Έγγραφα σε εκκρεμότητα που περιμένουν μια σύνδεση, επειδή ο πάροχος αρνείται τον λογαριασμό ή έχει αποσυνδεθεί: {documents}. Συνεχίζουν όταν γίνει ξανά δεκτή: {verify}, ή συνδέστε εκ νέου την επιχείρηση",
  "Nothing is sent through this connection. Once the provider takes them: fiscal connections verify {id}\nWith other credentials: fiscal connections disconnect {same}, then add it again.":
    "Τίποτα δεν στέλνεται από αυτή τη σύνδεση. Όταν ο πάροχος τα δεχτεί: fiscal connections verify {id}\nΜε άλλα διαπιστευτήρια: fiscal connections disconnect {same}, και προσθέστε την ξανά.",
  "Disconnect this connection to {provider}?{pending*}":
    "Να αποσυνδεθεί αυτή η σύνδεση με {provider};{pending}",
  " One document of the merchant is pending there.": " Εκεί εκκρεμεί ένα παραστατικό της επιχείρησης.",
  " {number} documents of the merchant are pending there.":
    " Εκεί εκκρεμούν {number} παραστατικά της επιχείρησης.",
  " More than {number} documents of the merchant are pending there.":
    " Εκεί εκκρεμούν πάνω από {number} παραστατικά της επιχείρησης.",
  "There is no such connection in this mode": "Δεν υπάρχει τέτοια σύνδεση σε αυτή τη λειτουργία",
  "Valid until {instant}, while `fiscal serve` runs. It cannot be shown again.":
    "Ισχύει έως {instant}, όσο τρέχει η `fiscal serve`. Δεν μπορεί να εμφανιστεί ξανά.",
  "It leads to the address that the server listens on: set server.public_url for others to reach it.":
    "Οδηγεί στη διεύθυνση όπου ακούει ο διακομιστής: ορίστε server.public_url για να τον βρίσκουν άλλοι.",
  "No connections.": "Δεν υπάρχουν συνδέσεις.",

  "API keys for the HTTP server": "κλειδιά API για τον διακομιστή HTTP",
  "make a key and print its secret, this once": "φτιάχνει κλειδί και τυπώνει το απόρρητό του, μόνο τώρα",
  "what the key reaches: the sandbox, or the authority":
    "πού φτάνει το κλειδί: στο περιβάλλον δοκιμών ή στην ΑΑΔΕ",
  "what the key is for": "για τι είναι το κλειδί",
  "days until it ends": "ημέρες μέχρι να λήξει",
  "all keys, newest first, without their secrets": "όλα τα κλειδιά, πρώτα τα νεότερα, χωρίς τα απόρρητά τους",
  "end a key, named by id, name or last four characters":
    "καταργεί ένα κλειδί, με id, όνομα ή τους τέσσερις τελευταίους χαρακτήρες",
  "--mode is missing: test or live": "λείπει η --mode: test ή live",
  "--live and --mode test contradict each other": "οι --live και --mode test αντιφάσκουν μεταξύ τους",
  "Mode (test or live)": "Λειτουργία (test ή live)",
  "What is the key for?": "Για τι είναι το κλειδί;",
  'This is the {mode} key "{name}". Keep it now: it cannot be shown again.':
    "Αυτό είναι το κλειδί {mode} «{name}». Φυλάξτε το τώρα: δεν μπορεί να εμφανιστεί ξανά.",
  "No keys. `fiscal keys create` makes one.": "Δεν υπάρχουν κλειδιά. Η `fiscal keys create` φτιάχνει ένα.",
  "Revoke this key? What uses it is refused from then on.":
    "Να καταργηθεί αυτό το κλειδί; Όποιος το χρησιμοποιεί απορρίπτεται από εκεί και πέρα.",
  "{id} revoked": "{id} καταργήθηκε",
  "No usable key has this id, name or last four characters; see `fiscal keys list`":
    "Κανένα κλειδί σε ισχύ δεν έχει αυτό το id, όνομα ή τέσσερις τελευταίους χαρακτήρες· δείτε την `fiscal keys list`",

  "look a VAT number up in the EU registry": "αναζητά έναν αριθμό ΦΠΑ στο μητρώο της ΕΕ",
  "ask whether a VAT number is valid; with --live the EU registry, otherwise the sandbox":
    "ρωτά αν ένας αριθμός ΦΠΑ ισχύει· με --live το μητρώο της ΕΕ, αλλιώς το περιβάλλον δοκιμών",
  "the number begins with the two letters of its country: GR 123456783 or EL123456783":
    "ο αριθμός αρχίζει με τα δύο γράμματα της χώρας του: GR 123456783 ή EL123456783",
  "The sandbox answers: the EU registry is asked with --live.":
    "Απαντά το περιβάλλον δοκιμών: το μητρώο της ΕΕ ερωτάται με --live.",
} as const;
