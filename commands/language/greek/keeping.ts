/** What keeps the database for years: `fiscal backup`, `restore`, `resume`, `audit`, `keys roll` and `keys rotate-master`. */
export const KEEPING = {
  "copy the database while it is in use, or verify such a copy":
    "αντιγράφει τη βάση ενώ χρησιμοποιείται, ή ελέγχει ένα τέτοιο αντίγραφο",
  "the backup, or a folder for it": "το αντίγραφο, ή ένας φάκελος για αυτό",
  "replace a file that is there": "αντικαθιστά αρχείο που υπάρχει ήδη",
  "encrypt it with the first line of this file": "το κρυπτογραφεί με την πρώτη γραμμή αυτού του αρχείου",
  "look whether a backup could be restored, and change nothing":
    "ελέγχει αν ένα αντίγραφο μπορεί να επαναφερθεί, χωρίς να αλλάξει τίποτα",
  "of an encrypted one": "ενός κρυπτογραφημένου",
  "take a copy of the database that another tool made": "δέχεται αντίγραφο της βάσης από άλλο εργαλείο",
  "Works beside a running server. FILE is a database that any SQLite tool opens, with a checksum behind it; into a folder\n(DIR/, or without FILE that of the configuration's backup.directory) it is named by the time. The copy is opened and\nchecked before it takes its place. The master key is never in it: keep a copy of the key elsewhere, without it a backup\ncannot be restored.":
    "Λειτουργεί δίπλα σε διακομιστή που τρέχει. Το FILE είναι βάση που ανοίγει κάθε εργαλείο SQLite, με άθροισμα ελέγχου στο\nτέλος της· μέσα σε φάκελο (DIR/, ή χωρίς FILE εκείνον του backup.directory των ρυθμίσεων) παίρνει όνομα από την ώρα. Το\nαντίγραφο ανοίγεται και ελέγχεται πριν μπει στη θέση του. Το κύριο κλειδί δεν περιέχεται ποτέ: κρατήστε αλλού αντίγραφό του,\nχωρίς αυτό δεν γίνεται επαναφορά.",
  "the file is missing; name one, or set backup.directory in the configuration":
    "λείπει το αρχείο· δώστε ένα, ή ορίστε το backup.directory στις ρυθμίσεις",
  copying: "αντιγραφή",
  "The master key is not in the backup: keep a copy of it elsewhere, without it this cannot be restored.":
    "Το κύριο κλειδί δεν είναι στο αντίγραφο: κρατήστε το και αλλού, χωρίς αυτό δεν γίνεται επαναφορά.",

  "take a backup back; it is held until `resume`":
    "επαναφέρει ένα αντίγραφο· μένει σε αναμονή μέχρι τη `resume`",
  "the backup": "το αντίγραφο",
  "take the place of a database that is there; it is kept under a dated name":
    "παίρνει τη θέση βάσης που υπάρχει· εκείνη κρατιέται με όνομα που έχει ημερομηνία",
  "of an encrypted backup": "κρυπτογραφημένου αντιγράφου",
  "Refused are a file that is damaged, of a newer version, or of another master key, and a database that is in use. A database\nthat is there gives way with --replace only, and is kept under a dated name. What is restored is held: it reads, and sends\nnothing until `fiscal resume`, because the appliance that the backup was taken of may still be at work.":
    "Δεν γίνεται δεκτό αρχείο κατεστραμμένο, νεότερης έκδοσης ή άλλου κύριου κλειδιού, ούτε βάση που χρησιμοποιείται. Βάση που\nυπάρχει αντικαθίσταται μόνο με --replace, και κρατιέται με όνομα που έχει ημερομηνία. Ό,τι επανέρχεται μένει σε αναμονή:\nδιαβάζει, και δεν στέλνει τίποτα μέχρι τη `fiscal resume`, γιατί η εγκατάσταση του αντιγράφου ίσως δουλεύει ακόμη.",
  "Held: it reads, and sends nothing. When the other appliance is off for good: fiscal resume\nLook at the counters first (fiscal numbering show): they are as old as the backup. `fiscal numbering set` raises one.":
    "Σε αναμονή: διαβάζει, και δεν στέλνει τίποτα. Όταν η άλλη εγκατάσταση έχει σταματήσει οριστικά: fiscal resume\nΔείτε πρώτα τους μετρητές (fiscal numbering show): είναι τόσο παλιοί όσο το αντίγραφο. Η `fiscal numbering set` ανεβάζει έναν.",
  "Put the backup in the place of {database}? It is kept under another name.":
    "Να μπει το αντίγραφο στη θέση της {database}; Εκείνη κρατιέται με άλλο όνομα.",
  "Restore the backup to {database}?": "Να επανέλθει το αντίγραφο στη θέση {database};",

  "let a restored appliance send again": "αφήνει μια εγκατάσταση που επανήλθε να στέλνει ξανά",
  "Only when the appliance that the backup was taken of is off for good: two that send the same documents file them twice.\nDocuments without an outcome are asked about at their provider before anything of them is sent, and so are the first new\ndocuments of each series. docs/backup.md says what to look at before.":
    "Μόνο όταν η εγκατάσταση του αντιγράφου έχει σταματήσει οριστικά: δύο που στέλνουν τα ίδια παραστατικά τα υποβάλλουν δύο\nφορές. Για παραστατικά χωρίς έκβαση ρωτιέται ο πάροχός τους πριν σταλεί οτιδήποτε, και το ίδιο για τα πρώτα νέα κάθε σειράς.\nΤο docs/backup.md λέει τι να δείτε πριν.",
  "Is the other appliance off for good, and shall this one send?":
    "Έχει σταματήσει οριστικά η άλλη εγκατάσταση, και να στέλνει αυτή;",
  "It stays held.": "Μένει σε αναμονή.",
  "Resumed. A running server goes on within a second.":
    "Συνεχίζει. Διακομιστής που τρέχει ξεκινά μέσα σε ένα δευτερόλεπτο.",
  "It is not held; nothing was changed.": "Δεν είναι σε αναμονή· δεν άλλαξε τίποτα.",
  "Nothing waits to go out.": "Τίποτα δεν περιμένει να σταλεί.",
  "The backup was made {age} ago ({day}).": "Το αντίγραφο έχει ηλικία {age} ({day}).",
  "Numbers that were given since then are unknown here: raise the counters with `fiscal numbering set` where you know them.":
    "Αριθμοί που δόθηκαν από τότε δεν είναι γνωστοί εδώ: ανεβάστε τους μετρητές με `fiscal numbering set` όπου τους ξέρετε.",
  what: "τι",
  count: "πλήθος",
  next: "έπειτα",

  "verify that the journal of events, the documents and their numbers are as they were written":
    "ελέγχει ότι το ημερολόγιο συμβάντων, τα παραστατικά και οι αριθμοί τους είναι όπως γράφτηκαν",
  "a link of the journal that was written down before, as this prints it":
    "κρίκος του ημερολογίου που είχε σημειωθεί, όπως τον τυπώνει αυτή η εντολή",
  "Every event is a link of a hash chain: a row that was changed, moved, removed or put in breaks it, and is named. What\nretention and erasure took out lawfully has left a note in the chain. Then each document is held against its newest event, and\nthe numbers are counted. Reads only, beside a running server too, and needs no master key.\nWrite the printed end of the journal down elsewhere: with --against it proves later that nothing before it was changed, not\neven by someone who could write a whole new chain.\nExit: 0 when everything holds, 1 when something does not.":
    "Κάθε συμβάν είναι κρίκος αλυσίδας κατακερματισμών (hash): γραμμή που άλλαξε, μετακινήθηκε, αφαιρέθηκε ή προστέθηκε τη σπάει,\nκαι κατονομάζεται. Ό,τι αφαίρεσαν νόμιμα η διατήρηση και η διαγραφή άφησε σημείωση στην αλυσίδα. Έπειτα κάθε παραστατικό\nσυγκρίνεται με το νεότερο συμβάν του, και οι αριθμοί μετρώνται. Μόνο διαβάζει, και δίπλα σε διακομιστή, χωρίς κύριο κλειδί.\nΣημειώστε αλλού το τέλος του ημερολογίου που τυπώνεται: με --against αποδεικνύει αργότερα ότι τίποτα πριν από αυτό δεν άλλαξε,\nούτε από κάποιον που θα μπορούσε να γράψει ολόκληρη νέα αλυσίδα.\nΚωδικός: 0 όταν όλα ισχύουν, 1 όταν κάτι δεν ισχύει.",
  "--against must be a link as `fiscal audit` prints it: evt_… : 64 hexadecimal digits":
    "το --against θέλει έναν κρίκο όπως τον τυπώνει η `fiscal audit`: evt_… : 64 δεκαεξαδικά ψηφία",
  verifying: "έλεγχος",
  "{number} more problems are not shown.": "Δεν εμφανίζονται άλλα {number} προβλήματα.",
  "Verified: {counts}. All is as it was written. The line on stdout is the end of the journal.":
    "Ελέγχθηκαν: {counts}. Όλα είναι όπως γράφτηκαν. Η γραμμή στο stdout είναι το τέλος του ημερολογίου.",
  "Verified: {counts}. {number} does not hold.": "Ελέγχθηκαν: {counts}. Δεν ισχύει {number}.",
  "Verified: {counts}. {number} do not hold.": "Ελέγχθηκαν: {counts}. Δεν ισχύουν {number}.",

  "make the successor of a key and print its secret, this once; the old one ends after an overlap":
    "φτιάχνει τον διάδοχο ενός κλειδιού και τυπώνει το απόρρητό του, μόνο τώρα· το παλιό λήγει μετά από μια επικάλυψη",
  "days that the old key goes on for; 0 revokes it at once":
    "ημέρες που ισχύει ακόμη το παλιό κλειδί· με 0 ανακαλείται αμέσως",
  "days until the new key ends (default: as long as the old one was made for)":
    "ημέρες μέχρι να λήξει το νέο κλειδί (αν λείπει: όσες είχε και το παλιό)",
  "do not ask before a key is revoked": "χωρίς ερώτηση πριν ανακληθεί κλειδί",
  "Revoke the old key at once? What uses it is refused from then on.":
    "Να ανακληθεί αμέσως το παλιό κλειδί; Ό,τι το χρησιμοποιεί θα απορρίπτεται στο εξής.",
  'This is the new {mode} key "{name}". Keep it now: it cannot be shown again.':
    "Αυτό είναι το νέο κλειδί {mode} «{name}». Φυλάξτε το τώρα: δεν μπορεί να εμφανιστεί ξανά.",
  "The old one, {id} (…{end}), is revoked.": "Το παλιό, {id} (…{end}), ανακλήθηκε.",
  "The old one, {id} (…{end}), works until {day}.": "Το παλιό, {id} (…{end}), ισχύει μέχρι τις {day}.",

  "replace the master key, and seal everything anew with the new one":
    "αντικαθιστά το κύριο κλειδί, και σφραγίζει τα πάντα ξανά με το νέο",
  "the new key: 64 hexadecimal digits, or base64 of 32 bytes (default: a random one)":
    "το νέο κλειδί: 64 δεκαεξαδικά ψηφία, ή base64 των 32 byte (αν λείπει: ένα τυχαίο)",
  "Servers may run meanwhile: they find the new key beside the old one and use it from their next write on. A run that was\nstopped or killed is finished by the next one. The replaced key is kept beside the new one, under a dated name, since\nbackups made before can be read with nothing else.\n\nWhere the key is in FISCAL_MASTER_KEY: set FISCAL_MASTER_KEY to the new key and FISCAL_MASTER_KEY_PREVIOUS to the present one,\nrestart the servers, then run this with the same two.":
    "Διακομιστές μπορούν να τρέχουν στο μεταξύ: βρίσκουν το νέο κλειδί δίπλα στο παλιό και το χρησιμοποιούν από την επόμενη εγγραφή\nτους. Εκτέλεση που διακόπηκε ολοκληρώνεται από την επόμενη. Το κλειδί που αντικαταστάθηκε κρατιέται δίπλα στο νέο, με όνομα\nπου έχει ημερομηνία, γιατί παλαιότερα αντίγραφα δεν διαβάζονται με τίποτα άλλο.\n\nΌπου το κλειδί είναι στο FISCAL_MASTER_KEY: ορίστε FISCAL_MASTER_KEY το νέο και FISCAL_MASTER_KEY_PREVIOUS το τωρινό, ξεκινήστε\nξανά τους διακομιστές, και τρέξτε αυτή την εντολή με τα ίδια δύο.",
  "Replace the master key? Servers may go on meanwhile.":
    "Να αντικατασταθεί το κύριο κλειδί; Οι διακομιστές μπορούν να συνεχίσουν στο μεταξύ.",
  "--new-key-file: {reason}": "--new-key-file: {reason}",
  "The master key {new} has replaced {old}: {values} sealed anew.\nThe replaced key is kept in {file}, for backups made before: move it to where those are.":
    "Το κύριο κλειδί {new} αντικατέστησε το {old}: σφραγίστηκαν ξανά: {values}.\nΤο παλιό κρατιέται στο {file}, για παλαιότερα αντίγραφα: μεταφέρετέ το εκεί που είναι αυτά.",
  "The master key {new} has replaced {old}: {values} sealed anew.\nKeep the replaced key for backups made before.":
    "Το κύριο κλειδί {new} αντικατέστησε το {old}: σφραγίστηκαν ξανά: {values}.\nΚρατήστε το παλιό για παλαιότερα αντίγραφα.",
  "sealing anew": "νέα σφράγιση",
  "Values that no key opens, left as they are: {number} ({tables}). See `fiscal doctor`.":
    "Τιμές που δεν ανοίγει κανένα κλειδί, έμειναν ως έχουν: {number} ({tables}). Δείτε `fiscal doctor`.",

  "No backups are scheduled: backup.schedule is not set.":
    "Δεν έχουν προγραμματιστεί αντίγραφα: το backup.schedule δεν έχει οριστεί.",
  "The last scheduled backup failed at {day}.": "Το τελευταίο προγραμματισμένο αντίγραφο απέτυχε στις {day}.",
  "see why: {run} (to {directory}), and the server's log":
    "δείτε γιατί: {run} (στο {directory}), και το αρχείο του διακομιστή",
  "A backup has been due since {day}.": "Ένα αντίγραφο έπρεπε να έχει γίνει από τις {day}.",
  "leave the server running: {run}, or make one now: {after}":
    "αφήστε τον διακομιστή να τρέχει: {run}, ή φτιάξτε ένα τώρα: {after}",
  "The first scheduled backup is yet to come.": "Το πρώτο προγραμματισμένο αντίγραφο δεν έχει γίνει ακόμη.",
  "The last scheduled backup was made at {day}.": "Το τελευταίο προγραμματισμένο αντίγραφο έγινε στις {day}.",
  "The master key is being replaced, or that was stopped halfway: both keys are needed until it ends.":
    "Το κύριο κλειδί αντικαθίσταται, ή αυτό διακόπηκε στη μέση: χρειάζονται και τα δύο κλειδιά μέχρι να τελειώσει.",
  "if it does not run any more: {run}": "αν δεν τρέχει πια: {run}",
} as const;
