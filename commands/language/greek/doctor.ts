/** `fiscal doctor`: what it finds and what is to be done. */
export const DOCTOR = {
  "look whether all is well, and say what to do where it is not":
    "κοιτάζει αν όλα είναι καλά και λέει τι να γίνει όπου δεν είναι",
  "compare the clock with that of the tax authority's server, too":
    "συγκρίνει και το ρολόι με εκείνο του διακομιστή της ΑΑΔΕ",
  "Looks at configuration, database, master key, clock, disk, connections, documents of both modes, numbers, API keys and\nretention. Reads only, beside a running server too.\nExit: 0 when nothing needs a person, 1 when something does, 78 when the configuration cannot be loaded.":
    "Κοιτάζει ρυθμίσεις, βάση, κύριο κλειδί, ρολόι, δίσκο, συνδέσεις, παραστατικά και των δύο λειτουργιών, αριθμούς, κλειδιά API\nκαι διατήρηση. Μόνο διαβάζει, και δίπλα σε διακομιστή που τρέχει.\nΚωδικός εξόδου: 0 όταν τίποτα δεν χρειάζεται άνθρωπο, 1 όταν κάτι χρειάζεται, 78 όταν δεν διαβάζονται οι ρυθμίσεις.",
  "Nothing needs a person.": "Τίποτα δεν χρειάζεται άνθρωπο.",
  "Needs a person: {number}.": "Χρειάζονται άνθρωπο: {number}.",

  "The clock says {instant}, {day} in Athens.": "Το ρολόι λέει {instant}, {day} στην Αθήνα.",
  "The clock is {number} seconds before the newest row of the database: it was set back.":
    "Το ρολόι είναι {number} δευτερόλεπτα πριν από την πιο πρόσφατη εγγραφή της βάσης: γύρισε πίσω.",
  "The time zone data of this Node does not know the days of Athens: issue dates would be wrong.":
    "Τα δεδομένα ζωνών ώρας αυτού του Node δεν ξέρουν τις ημέρες της Αθήνας: οι ημερομηνίες έκδοσης θα ήταν λάθος.",
  "use a Node with full time zone data (the official builds have it)":
    "χρησιμοποιήστε Node με πλήρη δεδομένα ζωνών ώρας (τα έχουν οι επίσημες εκδόσεις)",
  "The clock was set forward by {number} seconds while this looked.":
    "Το ρολόι πήγε μπροστά {number} δευτερόλεπτα στη διάρκεια του ελέγχου.",
  "The clock was set back by {number} seconds while this looked.":
    "Το ρολόι γύρισε πίσω {number} δευτερόλεπτα στη διάρκεια του ελέγχου.",
  "set the clock and keep it by NTP: timedatectl set-ntp true":
    "ρυθμίστε το ρολόι και κρατήστε το με NTP: timedatectl set-ntp true",
  "{host} cannot be reached (no answer in time): documents could not be sent there either.":
    "το {host} δεν απαντά εγκαίρως: ούτε παραστατικά θα μπορούσαν να σταλούν εκεί.",
  "{host} cannot be reached (no connection): documents could not be sent there either.":
    "δεν γίνεται σύνδεση με το {host}: ούτε παραστατικά θα μπορούσαν να σταλούν εκεί.",
  "check the network, and providers.registry_direct.live_url":
    "ελέγξτε το δίκτυο και το providers.registry_direct.live_url",
  "{host} answers, and does not say what time it is.": "το {host} απαντά και δεν λέει τι ώρα είναι.",
  "The clock agrees with that of {host}.": "Το ρολόι συμφωνεί με εκείνο του {host}.",
  "The clock is {number} seconds ahead of that of {host}.":
    "Το ρολόι είναι {number} δευτερόλεπτα μπροστά από εκείνο του {host}.",
  "The clock is {number} seconds behind that of {host}.":
    "Το ρολόι είναι {number} δευτερόλεπτα πίσω από εκείνο του {host}.",

  "Configuration file: none, the defaults hold. Data directory: {folder}.":
    "Αρχείο ρυθμίσεων: κανένα, ισχύουν οι προεπιλογές. Φάκελος δεδομένων: {folder}.",
  "Configuration file: {file}. Data directory: {folder}.":
    "Αρχείο ρυθμίσεων: {file}. Φάκελος δεδομένων: {folder}.",
  "correct it as the message says; config.example.toml has every setting":
    "διορθώστε το όπως λέει το μήνυμα· το config.example.toml έχει κάθε ρύθμιση",
  "server.public_url is http: keys and credentials cross the network in clear.":
    "το server.public_url είναι http: κλειδιά και διαπιστευτήρια περνούν ανοιχτά από το δίκτυο.",
  "put a proxy that speaks TLS before the server, and set server.public_url to its https address":
    "βάλτε μπροστά από τον διακομιστή έναν διαμεσολαβητή με TLS και στο server.public_url τη διεύθυνσή του https",
  "server.host is public and server.public_url is not set: there is no TLS, and links name no public address.":
    "το server.host είναι δημόσιο και το server.public_url δεν έχει οριστεί: δεν υπάρχει TLS, και οι σύνδεσμοι δεν έχουν δημόσια διεύθυνση.",
  "set server.public_url to the https address of the proxy before the server, or server.host to 127.0.0.1":
    "ορίστε στο server.public_url τη διεύθυνση https του διαμεσολαβητή μπροστά από τον διακομιστή, ή στο server.host το 127.0.0.1",
  "server.host is every address and server.public_url is not set: links lead to this machine only.":
    "το server.host είναι κάθε διεύθυνση και το server.public_url δεν έχει οριστεί: οι σύνδεσμοι οδηγούν μόνο σε αυτό το μηχάνημα.",
  "set server.public_url to the https address that others reach the server by":
    "ορίστε στο server.public_url τη διεύθυνση https με την οποία φτάνουν οι άλλοι στον διακομιστή",
  "server.metrics_token is short enough to be guessed.":
    "το server.metrics_token είναι τόσο μικρό που μπορεί να μαντευτεί.",
  "set server.metrics_token to a random text of 20 characters or more":
    "ορίστε στο server.metrics_token τυχαίο κείμενο 20 χαρακτήρων ή περισσότερων",
  "server.trusted_proxies trusts every address: anyone may say where a request comes from.":
    "το server.trusted_proxies εμπιστεύεται κάθε διεύθυνση: οποιοσδήποτε λέει από πού έρχεται ένα αίτημα.",
  "name only the addresses of your own proxies in server.trusted_proxies":
    "βάλτε στο server.trusted_proxies μόνο τις διευθύνσεις των δικών σας διαμεσολαβητών",
  "{setting} is http: what is sent there can be read on the way.":
    "το {setting} είναι http: όσα στέλνονται εκεί διαβάζονται στον δρόμο.",
  "set {setting} to an https address, or take it out of the configuration":
    "ορίστε στο {setting} διεύθυνση https ή βγάλτε το από τις ρυθμίσεις",
  "{settings} is 0: there is no limit.": "{settings}: είναι 0, δεν υπάρχει όριο.",
  "set a limit above 0": "ορίστε όριο πάνω από 0",
  "webhooks.allow_networks lets events be sent into private networks.":
    "το webhooks.allow_networks αφήνει τα συμβάντα να στέλνονται σε ιδιωτικά δίκτυα.",
  "keep in webhooks.allow_networks only what webhooks need to reach":
    "κρατήστε στο webhooks.allow_networks μόνο όσα πρέπει να φτάνουν τα webhooks",
  "log.level is debug: the log grows fast.":
    "το log.level είναι debug: το αρχείο καταγραφής μεγαλώνει γρήγορα.",
  'set log.level to "info"': 'ορίστε στο log.level το "info"',
  "{file} holds server.metrics_token and others may read it.":
    "το {file} περιέχει το server.metrics_token και μπορούν να το διαβάσουν άλλοι.",

  "The certificate is valid until {instant}.": "Το πιστοποιητικό ισχύει έως {instant}.",
  "The certificate expires at {instant}.": "Το πιστοποιητικό λήγει στις {instant}.",
  "The certificate expired at {instant}: clients refuse it.":
    "Το πιστοποιητικό έληξε στις {instant}: οι πελάτες το αρνούνται.",
  "renew it; the running server takes up the new files by itself":
    "ανανεώστε το· ο διακομιστής που τρέχει παίρνει μόνος του τα νέα αρχεία",
  "The certificate is valid from {instant} on: until then clients refuse it.":
    "Το πιστοποιητικό ισχύει από {instant}: έως τότε οι πελάτες το αρνούνται.",
  "look whether the clock is right, and give one that is valid now":
    "δείτε αν το ρολόι είναι σωστό και δώστε πιστοποιητικό που ισχύει τώρα",
  "give the right files, and run this as the user that the server runs as":
    "δώστε τα σωστά αρχεία και εκτελέστε το ως ο χρήστης του διακομιστή",
  "Everybody on this machine may open the file in server.tls_key_file.":
    "Το αρχείο του server.tls_key_file μπορεί να το ανοίξει οποιοσδήποτε σε αυτό το μηχάνημα.",
  "server.socket names something that is no socket: the server does not start.":
    "το server.socket δείχνει κάτι που δεν είναι socket: ο διακομιστής δεν ξεκινά.",
  "set server.socket to another path": "ορίστε στο server.socket άλλη διαδρομή",
  "server.socket is set and server.public_url is not: links lead to this machine only.":
    "το server.socket έχει οριστεί και το server.public_url όχι: οι σύνδεσμοι οδηγούν μόνο σε αυτό το μηχάνημα.",
  "set server.public_url to the https address of the proxy before the server":
    "ορίστε στο server.public_url τη διεύθυνση https του διαμεσολαβητή μπροστά από τον διακομιστή",

  "There are no connections.": "Δεν υπάρχουν συνδέσεις με παρόχους.",
  "Every connection can be used.": "Κάθε σύνδεση μπορεί να χρησιμοποιηθεί.",
  "The {mode} connection of {merchant} to {provider} is refused by the provider: its documents wait.":
    "Τη σύνδεση {mode} της {merchant} με {provider} την αρνείται ο πάροχος: τα παραστατικά της περιμένουν.",
  "The {mode} connection of {merchant} to {provider} is refused by the provider ({reason}): its documents wait.":
    "Τη σύνδεση {mode} της {merchant} με {provider} την αρνείται ο πάροχος ({reason}): τα παραστατικά της περιμένουν.",
  "correct the credentials with the provider, then: {command}":
    "διορθώστε τα διαπιστευτήρια στον πάροχο, έπειτα: {command}",
  "The {mode} connection of {merchant} to {provider} has no adapter: its documents cannot be sent.":
    "Η σύνδεση {mode} της {merchant} με {provider} δεν έχει προσαρμογέα: τα παραστατικά της δεν μπορούν να σταλούν.",
  "name the adapter's module under [providers.{provider}] in the configuration":
    "ορίστε το module του προσαρμογέα στο [providers.{provider}] των ρυθμίσεων",
  "The {mode} connection of {merchant} to {provider} was verified more than {number} days ago.":
    "Η σύνδεση {mode} της {merchant} με {provider} ελέγχθηκε πριν από πάνω από {number} ημέρες.",

  "The database file is sound.": "Το αρχείο της βάσης είναι ακέραιο.",
  "The database file is damaged: {damage}.": "Το αρχείο της βάσης έχει φθαρεί: {damage}.",
  "In the database stands what fiscal does not make, and what may change its rows: {programs}.":
    "Στη βάση υπάρχει κάτι που δεν φτιάχνει το fiscal και μπορεί να αλλάζει εγγραφές της: {programs}.",
  "find out who put it there, take it out (drop trigger …), and run fiscal audit":
    "βρείτε ποιος το έβαλε εκεί, αφαιρέστε το (drop trigger …), και τρέξτε fiscal audit",
  "Rows of {tables} refer to rows that are not there.":
    "Εγγραφές του {tables} αναφέρονται σε εγγραφές που δεν υπάρχουν.",
  "stop the server, keep a copy of the whole data directory, and restore the last good backup":
    "σταματήστε τον διακομιστή, κρατήστε αντίγραφο όλου του φακέλου δεδομένων και επαναφέρετε το τελευταίο καλό αντίγραφο",
  "The schema is of this version ({number}).": "Το σχήμα είναι αυτής της έκδοσης ({number}).",
  "A newer fiscal wrote the database: schema {number}, this one knows {max}.":
    "Τη βάση την έγραψε νεότερο fiscal: σχήμα {number}, αυτό ξέρει το {max}.",
  "install the version that wrote it, or a newer one": "εγκαταστήστε την έκδοση που την έγραψε ή νεότερη",
  "The file holds no database of fiscal.": "Το αρχείο δεν περιέχει βάση του fiscal.",
  "The schema is older ({number}) than this version's ({max}); the next start brings it up. What its tables hold was not looked at.":
    "Το σχήμα είναι παλαιότερο ({number}) από αυτής της έκδοσης ({max})· το φέρνει ως εδώ η επόμενη εκκίνηση. Τα περιεχόμενα των πινάκων δεν εξετάστηκαν.",
  "start the server, or without one: {command} – each keeps a backup first; then look again":
    "ξεκινήστε τον διακομιστή, ή χωρίς αυτόν: {command} – κρατά πρώτα αντίγραφο ασφαλείας· έπειτα ελέγξτε ξανά",
  "The database was made but never finished.": "Η βάση άρχισε να φτιάχνεται και δεν ολοκληρώθηκε.",
  "The appliance is held after a restore: it sends nothing.":
    "Το σύστημα κρατείται μετά από επαναφορά: δεν στέλνει τίποτα.",
  "when the other one is off for good: {command}": "όταν το άλλο έχει σβήσει οριστικά: {command}",
  "There is no database at {file}.": "Δεν υπάρχει βάση στο {file}.",
  "{command}, or name the right place with --data-dir": "{command}, ή ορίστε τη σωστή θέση με --data-dir",
  "The database {file} cannot be looked at ({reason}).": "Η βάση {file} δεν μπορεί να εξεταστεί ({reason}).",
  "run this as the user whose it is, and name the right place with --data-dir":
    "εκτελέστε το ως ο χρήστης στον οποίο ανήκει και ορίστε τη σωστή θέση με --data-dir",
  "What this looks at cannot be read: {reason}.": "Όσα εξετάζει αυτός ο έλεγχος δεν διαβάζονται: {reason}.",

  "The database {file} is on a local disk and for its owner only.":
    "Η βάση {file} είναι σε τοπικό δίσκο και μόνο για τον κάτοχό της.",
  "Others than its owner may open {files}: it holds customers' data.":
    "Άλλοι εκτός από τον κάτοχο μπορούν να ανοίξουν το {files}: περιέχει δεδομένα πελατών.",
  "The database is on a network file system ({type}), where SQLite's locks do not hold.":
    "Η βάση είναι σε σύστημα αρχείων δικτύου ({type}), όπου τα κλειδώματα του SQLite δεν ισχύουν.",
  "stop the server, and move the data directory to a local disk":
    "σταματήστε τον διακομιστή και μεταφέρετε τον φάκελο δεδομένων σε τοπικό δίσκο",
  "The write-ahead log has grown to {size}: something that reads holds it up.":
    "Το write-ahead log έφτασε τα {size}: κάτι που διαβάζει το καθυστερεί.",
  "end other programs that have the database open, or restart the server":
    "κλείστε άλλα προγράμματα που έχουν ανοιχτή τη βάση ή επανεκκινήστε τον διακομιστή",
  "No server works on the database at the moment.": "Κανένας διακομιστής δεν δουλεύει τώρα στη βάση.",
  "A server works on the database.": "Ένας διακομιστής δουλεύει στη βάση.",
  "A server works on the database: process {number}, since {time}.":
    "Ένας διακομιστής δουλεύει στη βάση: διεργασία {number}, από {time}.",
  "There is room: {room*}.": "Υπάρχει χώρος: {room}.",
  "The disk is nearly full: {room*}.": "Ο δίσκος είναι σχεδόν γεμάτος: {room}.",
  "A copy of the database would not fit: {room*}.": "Ένα αντίγραφο της βάσης δεν θα χωρούσε: {room}.",
  "{size} are free beside a database of {used}": "ελεύθερα {size} δίπλα σε βάση {used}",
  "make room on the disk of {folder}": "ελευθερώστε χώρο στον δίσκο του {folder}",

  "The master key opens what is sealed in the database.":
    "Το κύριο κλειδί ανοίγει όσα είναι σφραγισμένα στη βάση.",
  "The master key is not the one that this database was made with: nothing starts.":
    "Το κύριο κλειδί δεν είναι εκείνο με το οποίο φτιάχτηκε αυτή η βάση: τίποτα δεν ξεκινά.",
  "put the right key file back, or give the key as FISCAL_MASTER_KEY":
    "βάλτε πίσω το σωστό αρχείο κλειδιού ή δώστε το κλειδί ως FISCAL_MASTER_KEY",
  "The master key does not open the credentials of some connections.":
    "Το κύριο κλειδί δεν ανοίγει τα διαπιστευτήρια κάποιων συνδέσεων.",
  "connect them again: connections disconnect, then connections add":
    "συνδέστε τις ξανά: connections disconnect, έπειτα connections add",
  "Others than its owner may read the master key {file}.":
    "Άλλοι εκτός από τον κάτοχο μπορούν να διαβάσουν το κύριο κλειδί {file}.",

  "No document has been on its way for more than an hour.":
    "Κανένα παραστατικό δεν είναι καθ' οδόν πάνω από μία ώρα.",
  "Waiting for a connection that the provider refuses: {count*}.":
    "Περιμένουν σύνδεση που αρνείται ο πάροχος: {count}.",
  "Set aside, because they cannot be worked as they are stored: {count*}.":
    "Στην άκρη, γιατί όπως είναι αποθηκευμένα δεν προχωρούν: {count}.",
  "Queued for more than an hour: {count*}.": "Στη σειρά πάνω από μία ώρα: {count}.",
  "Being sent for more than an hour: {count*}.": "Στέλνονται πάνω από μία ώρα: {count}.",
  "Without a MARK more than an hour after they were sent: {count*}.":
    "Χωρίς ΜΑΡΚ πάνω από μία ώρα αφότου στάλθηκαν: {count}.",
  "Sent more than an hour ago, and what came of it is unknown: {count*}.":
    "Στάλθηκαν πριν από πάνω από μία ώρα και η έκβαση είναι άγνωστη: {count}.",
  "Not delivered, and can be sent again: {count*}.": "Δεν παραδόθηκαν και μπορούν να σταλούν ξανά: {count}.",
  "Registered twice, and could not be cancelled: {count*}.":
    "Καταχωρίστηκαν δύο φορές και δεν ακυρώθηκαν: {count}.",
  "Passed over in the last {days} days, because the provider has another document there: {count*}, the last {series} {number} ({reason}).":
    "Παραλείφθηκαν τις τελευταίες {days} ημέρες, επειδή ο πάροχος έχει εκεί άλλο έγγραφο: {count}, το τελευταίο {series} {number} ({reason}).",
  "find out which other program numbers in this series, and give one of them a series of its own (merchants settings)":
    "βρείτε ποιο άλλο πρόγραμμα αριθμεί σε αυτή τη σειρά και δώστε σε ένα από τα δύο δική του σειρά (merchants settings)",
  "Due, and no server works on it: {count*}.":
    "Ήρθε η ώρα τους και κανένας διακομιστής δεν τα δουλεύει: {count}.",
  "Nothing that is due waits for a server.": "Τίποτα από όσα πρέπει να γίνουν δεν περιμένει διακομιστή.",
  "look at the server's log, and {command}": "δείτε το αρχείο καταγραφής του διακομιστή, και {command}",
  "{command}, or documents abandon": "{command}, ή documents abandon",
  "cancel them at the authority: MARK {mark} first": "ακυρώστε τα στην ΑΑΔΕ: πρώτα το ΜΑΡΚ {mark}",
  "{number} {mode} document": "{number} παραστατικό ({mode})",
  "{number} {mode} documents": "{number} παραστατικά ({mode})",
  "{number} {mode} documents or more": "{number} παραστατικά ({mode}) ή περισσότερα",

  "No API key has expired or expires soon.": "Κανένα κλειδί API δεν έληξε ούτε λήγει σύντομα.",
  'The {mode} key "{name}" (…{end}) expires on {day}.':
    "Το κλειδί {mode} «{name}» (…{end}) λήγει στις {day}.",
  'The {mode} key "{name}" (…{end}) was in use until it expired on {day}.':
    "Το κλειδί {mode} «{name}» (…{end}) ήταν σε χρήση μέχρι που έληξε στις {day}.",
  'The {mode} key "{name}" (…{end}) expired on {day}.':
    "Το κλειδί {mode} «{name}» (…{end}) έληξε στις {day}.",
  "The logs keep nothing beyond its time.": "Τα αρχεία καταγραφής δεν κρατούν τίποτα πέρα από τον χρόνο του.",
  "Bodies of requests are kept beyond {days*}: the nightly forgetting {when*}.":
    "Σώματα αιτημάτων κρατούνται πάνω από {days}: η νυχτερινή διαγραφή {when}.",
  "Bodies of provider calls are kept beyond {days*}: the nightly forgetting {when*}.":
    "Σώματα κλήσεων προς παρόχους κρατούνται πάνω από {days}: η νυχτερινή διαγραφή {when}.",
  "{number} day": "{number} ημέρα",
  "{number} days": "{number} ημέρες",
  "has never run": "δεν έχει τρέξει ποτέ",
  "last ran on {day}": "έτρεξε τελευταία φορά στις {day}",
  "leave the server running: {command}": "αφήστε τον διακομιστή να τρέχει: {command}",

  "Every webhook endpoint is served.": "Κάθε τελικό σημείο (endpoint) εξυπηρετείται.",
  "A {mode} webhook endpoint is disabled, and {count*} held for it.":
    "Ένα τελικό σημείο (endpoint) {mode} είναι ανενεργό, και κρατούνται για αυτό: {count}.",
  "A {mode} webhook endpoint was disabled because everything failed there; {count*} wait.":
    "Ένα τελικό σημείο (endpoint) {mode} απενεργοποιήθηκε γιατί όλα αποτύγχαναν· περιμένουν: {count}.",
  "{run}, then: {after}": "{run}, έπειτα: {after}",
  "{run}, then {after}": "{run}, έπειτα {after}",
  "mend the receiver, then: {run}, then: {after}": "διορθώστε τον παραλήπτη, έπειτα: {run}, έπειτα: {after}",
  "Everything posted to a {mode} webhook endpoint has failed for more than a day.":
    "Κάθε αποστολή σε ένα τελικό σημείο (endpoint) {mode} αποτυγχάνει πάνω από μία ημέρα.",
  "see why: {command}": "δείτε γιατί: {command}",
  "{count*} held for a {mode} webhook endpoint, or failed there, and not sent again.":
    "{count} κρατούνται για ένα τελικό σημείο (endpoint) {mode} ή απέτυχαν εκεί, και δεν στάλθηκαν ξανά.",
  "{number} event": "{number} συμβάν",
  "{number} events": "{number} συμβάντα",
  "{number} events or more": "{number} συμβάντα ή περισσότερα",
  "Nothing can be written to {files}.": "Δεν είναι δυνατή η εγγραφή σε: {files}.",
} as const;
