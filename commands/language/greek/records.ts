/** `fiscal numbering`, `events`, `requests`, `calls` and `erase`. */
export const RECORDS = {
  "series and numbers: next ones, and an audit of all": "σειρές και αριθμοί: οι επόμενοι, και έλεγχος όλων",
  "the counters in use and the next number of each": "οι μετρητές σε χρήση και ο επόμενος αριθμός καθενός",
  "of this merchant's tax number only: id or external id":
    "μόνο του ΑΦΜ αυτής της επιχείρησης: id ή εξωτερικό id",
  "carry on from a number, for example of another program; it only goes up":
    "συνεχίζει από έναν αριθμό, για παράδειγμα άλλου προγράμματος· μόνο προς τα πάνω",
  "document type, for example 1.1": "τύπος παραστατικού, για παράδειγμα 1.1",
  "the series (default: that of the type)": "η σειρά (αν λείπει: εκείνη του τύπου)",
  "the number that the next document gets": "ο αριθμός που παίρνει το επόμενο παραστατικό",
  "explain every number of both modes, or of live mode with --live; exit 1 when one is missing":
    "εξηγεί κάθε αριθμό και των δύο λειτουργιών ή, με --live, της παραγωγικής· κωδικός 1 όταν λείπει κάποιος",
  "Document type": "Τύπος παραστατικού",
  "Next number": "Επόμενος αριθμός",
  "No counters yet: the first document of a series makes one.":
    "Δεν υπάρχουν ακόμη μετρητές: τον φτιάχνει το πρώτο παραστατικό μιας σειράς.",
  "Every number is accounted for.": "Κάθε αριθμός εξηγείται.",
  "Nothing explains {series} {numbers} (supplier {supplier}, branch {branch}, type {type}, {mode}).":
    "Τίποτα δεν εξηγεί το {series} {numbers} (εκδότης {supplier}, εγκατάσταση {branch}, τύπος {type}, {mode}).",

  "what happened, as it happens or afterwards": "τι συνέβη, την ώρα που συμβαίνει ή μετά",
  "print events as they happen, until interrupted": "τυπώνει συμβάντα καθώς συμβαίνουν, μέχρι να διακοπεί",
  "of this type; may be repeated": "αυτού του τύπου· επαναλαμβάνεται",
  "about this document": "για αυτό το παραστατικό",
  "about this merchant and what is its own: id or external id":
    "για αυτή την επιχείρηση και ό,τι της ανήκει: id ή εξωτερικό id",
  "begin with the events after this one": "ξεκινά από τα συμβάντα μετά από αυτό",
  "begin with the oldest event": "ξεκινά από το παλαιότερο συμβάν",
  "events, newest first": "συμβάντα, πρώτα τα νεότερα",
  "happened at or after": "συνέβησαν τότε ή αργότερα",
  "happened at or before": "συνέβησαν τότε ή νωρίτερα",
  "one event with its snapshot": "ένα συμβάν με το στιγμιότυπό του",
  "Following the events; Ctrl-C ends it.": "Παρακολουθούνται τα συμβάντα· σταματά με Ctrl-C.",
  "There is no such event in this mode": "Δεν υπάρχει τέτοιο συμβάν σε αυτή τη λειτουργία",
  "No events.": "Δεν υπάρχουν συμβάντα.",

  "the log of API requests, and the whole story behind one":
    "το αρχείο των αιτημάτων του API, και ολόκληρη η ιστορία πίσω από ένα",
  "print requests as they are answered, until interrupted":
    "τυπώνει αιτήματα καθώς απαντώνται, μέχρι να διακοπεί",
  "answered with this HTTP status": "απαντήθηκαν με αυτόν τον κωδικό HTTP",
  "of this operation, for example issueDocument":
    "αυτής της λειτουργίας του API, για παράδειγμα issueDocument",
  "that answered with this document": "που απάντησαν με αυτό το παραστατικό",
  "with this x-request-id": "με αυτό το x-request-id",
  "begin with the requests after this one": "ξεκινά από τα αιτήματα μετά από αυτό",
  "begin with the oldest of the requests": "ξεκινά από το παλαιότερο αίτημα",
  "API requests, newest first": "αιτήματα του API, πρώτα τα νεότερα",
  "arrived at or after": "έφτασαν τότε ή αργότερα",
  "arrived at or before": "έφτασαν τότε ή νωρίτερα",
  "what was asked and answered, and the document, provider calls and events behind it; by id or x-request-id":
    "τι ζητήθηκε και τι απαντήθηκε, και το παραστατικό, οι κλήσεις και τα συμβάντα πίσω του· με id ή x-request-id",
  "Following the requests; Ctrl-C ends it.": "Παρακολουθούνται τα αιτήματα· σταματά με Ctrl-C.",
  "The requests answered with further documents: {ids}; `fiscal documents show` shows them.":
    "Τα αιτήματα απάντησαν και με άλλα παραστατικά: {ids}· τα δείχνει η `fiscal documents show`.",
  "Earlier provider calls are left out: fiscal calls list --document {id} --all":
    "Παλαιότερες κλήσεις παραλείπονται: fiscal calls list --document {id} --all",
  "Earlier events are left out: fiscal events list --document {id} --all":
    "Παλαιότερα συμβάντα παραλείπονται: fiscal events list --document {id} --all",
  "Earlier requests with this x-request-id are left out: `fiscal requests list --request-id` lists them.":
    "Παλαιότερα αιτήματα με αυτό το x-request-id παραλείπονται: τα δείχνει η `fiscal requests list --request-id`.",
  "There is no request with this id or x-request-id in this mode":
    "Δεν υπάρχει αίτημα με αυτό το id ή x-request-id σε αυτή τη λειτουργία",
  "There is no such request in this mode": "Δεν υπάρχει τέτοιο αίτημα σε αυτή τη λειτουργία",
  "No requests.": "Δεν υπάρχουν αιτήματα.",
  response: "απάντηση",
  "withheld: what a login exchanges is never kept":
    "δεν τηρείται: όσα ανταλλάσσει μια σύνδεση χρήστη δεν φυλάσσονται ποτέ",
  "purged at {instant}": "διαγράφηκε στις {instant}",
  "unreadable: sealed under another master key, or damaged":
    "δεν διαβάζεται: σφραγίστηκε με άλλο κύριο κλειδί ή έχει φθαρεί",
  none: "τίποτα",
  "left out: {what}": "παραλείπεται: {what}",
  "no answer: {reason}": "καμία απάντηση: {reason}",
  "provider calls": "κλήσεις προς τον πάροχο",
  "no provider calls": "καμία κλήση προς τον πάροχο",
  events: "συμβάντα",
  "no events": "κανένα συμβάν",

  "the log of what was sent to providers and what they answered":
    "το αρχείο όσων στάλθηκαν σε παρόχους και όσων απάντησαν",
  "print calls as they are begun, until interrupted": "τυπώνει κλήσεις καθώς αρχίζουν, μέχρι να διακοπεί",
  "begin with the calls after this one": "ξεκινά από τις κλήσεις μετά από αυτή",
  "begin with the oldest of the calls": "ξεκινά από την παλαιότερη κλήση",
  "provider calls, newest first": "κλήσεις προς παρόχους, πρώτα οι νεότερες",
  "begun at or after": "άρχισαν τότε ή αργότερα",
  "begun at or before": "άρχισαν τότε ή νωρίτερα",
  "one call with what was sent and what came back, without credentials":
    "μία κλήση με όσα στάλθηκαν και όσα επέστρεψαν, χωρίς διαπιστευτήρια",
  "Following the provider calls; Ctrl-C ends it.":
    "Παρακολουθούνται οι κλήσεις προς τον πάροχο· σταματά με Ctrl-C.",
  "There is no such provider call in this mode": "Δεν υπάρχει τέτοια κλήση σε αυτή τη λειτουργία",
  "No provider calls.": "Δεν υπάρχουν κλήσεις.",

  "remove from the logs what they hold about a tax number":
    "αφαιρεί από τα αρχεία καταγραφής όσα έχουν για ένα ΑΦΜ",
  "the tax number whose traces are removed": "το ΑΦΜ του οποίου αφαιρούνται τα ίχνη",
  "count them, and change nothing": "μόνο μετρά, χωρίς καμία αλλαγή",
  "Removes the logged bodies and the provider's messages about the number, in both modes. The documents themselves stay, as\nthe law wants them: their numbers, amounts and MARKs. A second run finds nothing and changes nothing.":
    "Αφαιρεί τα καταγεγραμμένα σώματα και τα μηνύματα του παρόχου για το ΑΦΜ, και στις δύο λειτουργίες. Τα ίδια τα παραστατικά\nμένουν, όπως θέλει ο νόμος: αριθμοί, ποσά και ΜΑΡΚ. Δεύτερη εκτέλεση δεν βρίσκει και δεν αλλάζει τίποτα.",
  "Tax number": "ΑΦΜ",
  "To be removed about the tax number {end}: {counts}.": "Προς αφαίρεση για το ΑΦΜ {end}: {counts}.",
  "Remove them? That cannot be taken back.": "Να αφαιρεθούν; Δεν αναιρείται.",
  "There is nothing left to remove about the tax number {end}.":
    "Δεν έμεινε τίποτα προς αφαίρεση για το ΑΦΜ {end}.",
  "Would be removed about the tax number {end}: {counts}.": "Θα αφαιρούνταν για το ΑΦΜ {end}: {counts}.",
  "Removed about the tax number {end}: {counts}. The fiscal core of the documents stays.":
    "Αφαιρέθηκαν για το ΑΦΜ {end}: {counts}. Ο φορολογικός πυρήνας των παραστατικών μένει.",
  looking: "αναζήτηση",
  erasing: "αφαίρεση",
  documents: "παραστατικά",
  connections: "συνδέσεις",
  requests: "αιτήματα",
  "provider call": "κλήση προς τον πάροχο",
  event: "συμβάν",
  lookup: "αναζήτηση ΑΦΜ",
  lookups: "αναζητήσεις ΑΦΜ",
} as const;
