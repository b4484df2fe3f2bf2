/** `fiscal completion`: prints the script that completes `fiscal` command lines in a shell, by calling `fiscal __complete`. */
import type { Text } from "../../src/foundation/text.ts";
import { write } from "../io.ts";
import { choice } from "../options.ts";
import { verb } from "../define.ts";

const NOTES: Text = {
  en: `The script starts with how to install it. It completes commands, flags and their values, files, and the merchants,
documents and ids in the database. It only reads, and respects --data-dir, --config and --live on the line.`,
  el: `Ο κώδικας λέει ο ίδιος πώς εγκαθίσταται. Συμπληρώνει εντολές, επιλογές και τιμές τους, αρχεία, και επιχειρήσεις,
παραστατικά και ids όπως τα έχει η βάση· μόνο διαβάζει, και ακολουθεί τα --data-dir, --config και --live της γραμμής.`,
};

export const defineCompletion = verb({
  argument: [
    "<bash|zsh|fish>",
    { en: "the shell", el: "το κέλυφος", read: () => choice(SHELLS)("the shell") },
  ],
  notes: NOTES,
  examples: ["fiscal completion bash > fiscal-completion.bash"],
  async run({ io }, _options, shell: Shell) {
    const script = SCRIPTS[shell];
    return { object: { shell, script }, shown: () => write(io.stdout, script) };
  },
});

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

/** Avoids mapfile and tolerates a missing compopt, for the bash 3.2 of macOS. */
const BASH = `# fiscal: completion for bash.
# Now:     source <(fiscal completion bash)
# Always:  fiscal completion bash > ~/.local/share/bash-completion/completions/fiscal
_fiscal() {
  local current=\${COMP_WORDS[COMP_CWORD]} program=\${COMP_WORDS[0]} line
  COMPREPLY=()
  case $current in '=' | ':') current= ;; esac
  while IFS= read -r line; do
    if [[ $line == :files || $line == :folders ]]; then
      compopt -o filenames 2>/dev/null
      [[ $line == :files ]] && line=-f || line=-d
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen $line -- "$current")
    else
      COMPREPLY+=("\${line%%$'\\t'*}")
    fi
  done < <("\${program/#\\~/$HOME}" __complete bash -- "\${COMP_WORDS[@]:0:COMP_CWORD+1}" 2>/dev/null)
}
complete -F _fiscal fiscal
`;

const ZSH = `#compdef fiscal
# fiscal: completion for zsh.
# Now:     source <(fiscal completion zsh)
# Always:  fiscal completion zsh > "\${fpath[1]}/_fiscal", in a folder of fpath, before compinit runs
_fiscal() {
  local line word about files
  local -a described
  while IFS= read -r line; do
    case $line in :files) files=_files; continue;; :folders) files='_files -/'; continue;; esac
    word=\${line%%$'\\t'*} about=\${line#*$'\\t'}
    described+=("\${word//:/\\\\:}\${about:+:$about}")
  done < <("\${words[1]/#\\~/$HOME}" __complete zsh -- "\${(@)words[1,CURRENT]}" 2>/dev/null)
  (( \${#described} )) && _describe -t values fiscal described
  \${=files}
}
if [[ $funcstack[1] == _fiscal ]]; then _fiscal "$@"; else compdef _fiscal fiscal; fi
`;

const FISH = `# fiscal: completion for fish.
# Now:     fiscal completion fish | source
# Always:  fiscal completion fish > ~/.config/fish/completions/fiscal.fish
function __fiscal_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l program (string replace -r '^~' $HOME -- $words[1])
    for line in ($program __complete fish -- $words 2>/dev/null)
        if test "$line" = :files
            __fish_complete_path (commandline -ct)
        else if test "$line" = :folders
            __fish_complete_directories (commandline -ct)
        else
            echo $line
        end
    end
end
complete -c fiscal -f -a '(__fiscal_complete)'
`;

/** To source. */
const SCRIPTS: Record<Shell, string> = { bash: BASH, zsh: ZSH, fish: FISH };
