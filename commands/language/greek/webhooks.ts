/** `fiscal webhooks`, `events resend` and `mcp`. */
export const WEBHOOKS = {
  "endpoints that events are posted to, and help for those who write receivers":
    "τελικά σημεία (endpoints) όπου στέλνονται τα συμβάντα, και βοήθεια για όσους γράφουν παραλήπτες",
  "have events posted to a URL; prints the signing secret, this once":
    "στέλνει τα συμβάντα σε μια διεύθυνση URL· τυπώνει το μυστικό υπογραφής, μόνο τώρα",
  "where they are posted; in live mode https": "πού στέλνονται· στην παραγωγική λειτουργία https",
  "event types, or '*' for all; several with spaces or commas between":
    "τύποι συμβάντων, ή '*' για όλους· πολλοί με κενά ή κόμματα ανάμεσα",
  "what the endpoint is for": "για τι είναι το τελικό σημείο (endpoint)",
  "endpoints of the mode, newest first": "τα τελικά σημεία (endpoints) της λειτουργίας, πρώτα τα νεότερα",
  "one endpoint, without its secret": "ένα τελικό σημείο (endpoint), χωρίς το μυστικό του",
  "change an endpoint; `--status enabled` takes a disabled one up again":
    "αλλάζει ένα τελικό σημείο (endpoint)· η `--status enabled` ενεργοποιεί ξανά ένα ανενεργό",
  "where events are posted": "πού στέλνονται τα συμβάντα",
  "what the endpoint is for; empty removes it":
    "για τι είναι το τελικό σημείο (endpoint)· κενή τιμή την αφαιρεί",
  "enabled or disabled": "enabled (ενεργό) ή disabled (ανενεργό)",
  "post nothing more to an endpoint, and forget it":
    "παύει κάθε αποστολή σε ένα τελικό σημείο (endpoint) και το ξεχνά",
  "make a new signing secret and print it, this once":
    "φτιάχνει νέο μυστικό υπογραφής και το τυπώνει, μόνο τώρα",
  "how long the old one still signs beside it (default 86400, a day)":
    "για πόσο υπογράφει δίπλα του και το παλιό (αν λείπει: 86400, μία ημέρα)",
  "what was or is to be posted to an endpoint, newest first":
    "οι αποστολές σε ένα τελικό σημείο (endpoint), όσες έγιναν και όσες μένουν, πρώτα οι νεότερες",
  "pending, delivered, failed, held":
    "pending (εκκρεμεί), delivered (παραδόθηκε), failed (απέτυχε), held (κρατείται)",
  "queue again what was held or has failed: all of it, that of a time, or single events":
    "επαναποστολή όσων κρατήθηκαν ή απέτυχαν: όλων, ενός διαστήματος, ή μεμονωμένων συμβάντων",
  "events at or after": "συμβάντα τότε ή αργότερα",
  "events at or before": "συμβάντα τότε ή νωρίτερα",
  "these events, delivered or not; several with spaces between":
    "αυτά τα συμβάντα, είτε παραδόθηκαν είτε όχι· πολλά με κενά ανάμεσα",
  "post events to a receiver on this machine as they happen, without an endpoint or a server":
    "στέλνει τα συμβάντα σε παραλήπτη αυτού του υπολογιστή καθώς συμβαίνουν, χωρίς τελικό σημείο (endpoint) ή διακομιστή",
  "the receiver": "ο παραλήπτης",
  "a file that holds the signing secret": "αρχείο που περιέχει το μυστικό υπογραφής",
  "begin with what happens from now on": "ξεκινά από όσα συμβούν από εδώ και πέρα",
  "Each event is posted until the receiver answers 2xx, then the next one. A restart of either side goes on where it\nstopped, unless --after, --from-start or --from-now says otherwise; --after also gets past an event that the receiver\ndoes not take. Signed with a secret that is made once and printed at the start, or with the one in --secret-file.":
    "Κάθε συμβάν στέλνεται μέχρι ο παραλήπτης να απαντήσει 2xx, και μετά το επόμενο. Όποια πλευρά κι αν ξαναρχίσει, συνεχίζει\nαπό εκεί που σταμάτησε, εκτός αν το αλλάξει η --after, η --from-start ή η --from-now· η --after προσπερνά και ένα συμβάν που\nο παραλήπτης δεν δέχεται. Υπογράφει με μυστικό που φτιάχνεται μία φορά και τυπώνεται στην αρχή, ή με εκείνο της --secret-file.",
  "say whether a delivery's signature matches and, if not, why":
    "λέει αν η υπογραφή μιας αποστολής ταιριάζει και, αν όχι, γιατί",
  "a file that holds the endpoint's secret": "αρχείο που περιέχει το μυστικό του τελικού σημείου (endpoint)",
  "the value of the header service-signature, as it came":
    "η τιμή της κεφαλίδας service-signature, όπως ήρθε",
  "a file that holds the body, byte for byte as it came; - is standard input":
    "αρχείο που περιέχει το σώμα, byte προς byte όπως ήρθε· το - είναι η τυπική είσοδος",
  "when it came (default: now)": "πότε ήρθε (αν λείπει: τώρα)",
  "Exit: 0 when the signature matches, 4 when it does not; then it says why.":
    "Κωδικός εξόδου: 0 όταν η υπογραφή ταιριάζει, 4 όταν όχι· τότε λέει γιατί.",
  "--{flag} names a file that is empty": "η --{flag} ορίζει ένα αρχείο που είναι κενό",
  "{file} holds more than {max} bytes: it is not what is meant":
    "το {file} έχει πάνω από {max} byte: δεν είναι αυτό που εννοείτε",
  "only one of --secret-file, --body-file can read standard input":
    "μόνο μία από τις --secret-file και --body-file μπορεί να διαβάσει την τυπική είσοδο",
  "Keep the secret now: it cannot be shown again. Receivers check the signature with it.":
    "Φυλάξτε το μυστικό τώρα: δεν μπορεί να εμφανιστεί ξανά. Με αυτό ελέγχουν την υπογραφή οι παραλήπτες.",
  "URL that events are posted to": "Διεύθυνση URL όπου στέλνονται τα συμβάντα",
  "Event types, with commas between (* for all)": "Τύποι συμβάντων, με κόμματα ανάμεσα (* για όλους)",
  "nothing to change: give --url, --events, --description or --status":
    "δεν δόθηκε τίποτα προς αλλαγή: δώστε --url, --events, --description ή --status",
  "What was held meanwhile stays so until: fiscal webhooks replay {id}":
    "Όσα κρατήθηκαν στο μεταξύ μένουν έτσι μέχρι: fiscal webhooks replay {id}",
  "Remove the endpoint {url}? What is still to be posted to it is forgotten.":
    "Να αφαιρεθεί το τελικό σημείο (endpoint) {url}; Όσα μένουν να σταλούν εκεί ξεχνιούνται.",
  "{id} removed": "{id} αφαιρέθηκε",
  "{number} queued": "{number} μπήκαν στη σειρά",
  "They are posted while `fiscal serve` runs.": "Στέλνονται όσο τρέχει η `fiscal serve`.",
  "No webhook endpoints.": "Δεν υπάρχουν τελικά σημεία (endpoints).",
  "No deliveries.": "Δεν υπάρχουν αποστολές.",
  "There is no such webhook endpoint in this mode":
    "Δεν υπάρχει τέτοιο τελικό σημείο (endpoint) σε αυτή τη λειτουργία",
  "The webhook endpoint is disabled; enable it first":
    "Το τελικό σημείο (endpoint) είναι ανενεργό· ενεργοποιήστε το πρώτα",
  "The webhook endpoint is disabled; enable it first, then replay":
    "Το τελικό σημείο (endpoint) είναι ανενεργό· ενεργοποιήστε το πρώτα, μετά κάντε επαναποστολή",
  "URL of the receiver": "Διεύθυνση URL του παραλήπτη",
  "Posting the events of {mode} mode to {url}; Ctrl-C ends it.":
    "Τα συμβάντα της λειτουργίας {mode} στέλνονται στο {url}· σταματά με Ctrl-C.",
  "Going on after the beginning.": "Συνεχίζει από την αρχή.",
  "Going on after {id}.": "Συνεχίζει μετά από το {id}.",
  "The signing secret of this listener: {secret}": "Το μυστικό υπογραφής εδώ: {secret}",
  "--after, --from-start and --from-now contradict each other":
    "οι --after, --from-start και --from-now αντιφάσκουν μεταξύ τους",
  "--forward-to takes an http or https URL like http://localhost:3000/webhooks":
    "η --forward-to δέχεται διεύθυνση http ή https, όπως http://localhost:3000/webhooks",
  "--forward-to takes a URL without a user and a password in it":
    "η --forward-to δέχεται διεύθυνση URL χωρίς χρήστη και κωδικό μέσα της",
  "--secret-file holds no signing secret: whsec_ and 44 characters, as it was shown once":
    "η --secret-file δεν περιέχει μυστικό υπογραφής: whsec_ και 44 χαρακτήρες, όπως εμφανίστηκε μία φορά",
  "no answer ({reason})": "καμία απάντηση ({reason})",
  "; trying again until it answers 2xx": "· δοκιμάζει ξανά μέχρι να απαντήσει 2xx",
  resent: "ξανά",
  "webhook delivery": "αποστολή webhook",
  "webhook deliveries": "αποστολές webhook",

  "post an event again to the endpoints that ask for its type, and to `webhooks listen`":
    "στέλνει ξανά ένα συμβάν στα τελικά σημεία (endpoints) που ζητούν τον τύπο του, και στη `webhooks listen`",
  "to this endpoint only": "μόνο σε αυτό το τελικό σημείο (endpoint)",
  "{id} {type} queued again": "{id} {type} μπήκε ξανά στη σειρά",
  "Endpoints get it while `fiscal serve` runs, `fiscal webhooks listen` without.":
    "Τα τελικά σημεία (endpoints) το παίρνουν όσο τρέχει η `fiscal serve`, η `fiscal webhooks listen` και χωρίς αυτή.",

  "serve the API's operations as tools of the Model Context Protocol, on standard input and output":
    "προσφέρει τις λειτουργίες του API ως εργαλεία του Model Context Protocol, στην τυπική είσοδο και έξοδο",
  "offer only the tools that change nothing": "προσφέρει μόνο τα εργαλεία που δεν αλλάζουν τίποτα",
  "act as this API key, in its mode and as long as it is valid; without one, as the command line":
    "ενεργεί ως αυτό το κλειδί API, στη λειτουργία του και όσο ισχύει· χωρίς κλειδί, όπως η γραμμή εντολών",
  "--api-key-file takes a file: standard input carries the protocol":
    "η --api-key-file δέχεται αρχείο: από την τυπική είσοδο περνά το πρωτόκολλο",
  "--live and the API key contradict each other: the key is one of test mode":
    "η --live και το κλειδί API αντιφάσκουν μεταξύ τους: το κλειδί είναι δοκιμαστικό",
  "The API key of --api-key-file is not valid, or not any more; `fiscal keys create` makes another":
    "Το κλειδί API της --api-key-file δεν ισχύει, ή δεν ισχύει πια· άλλο φτιάχνει η `fiscal keys create`",
  "Documents of this session may still be pending; a running server or the next command that issues goes on with them.":
    "Ίσως εκκρεμούν ακόμη παραστατικά αυτής της συνεδρίας· τα συνεχίζει ένας διακομιστής ή η επόμενη εντολή που εκδίδει.",
} as const;
