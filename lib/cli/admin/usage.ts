// What --help prints for the admin commands.

export const ADMIN_USAGE = `Usage: render init
       render workspaces create --name N [--plan free|paid] [--credits N]
       render workspaces list
       render keys create --workspace W --name N [--scopes a,b]
       render keys list --workspace W
       render keys revoke ID
       render credits show --workspace W
       render credits grant --workspace W --amount N
       render templates import <template.json | -> --workspace W
       render templates list [--workspace W]
       render templates show|export|delete ID
       render log --workspace W [--limit N]
       render store restore
       render store copy --from PLACE --to PLACE
       render migrate

Administers the data folder of "render serve", or with STORE_URL that database (--data then has no effect), while
servers run on it or not. What is changed holds from the very next request. W and ID are the ids that "create", "import"
and "list" print; lists show the newest first.

      --data DIR      the data folder; else DATA_DIR, else ./data
      --json          print JSON; so does a command whose output is no terminal
      --name N        what people call the workspace or key
      --plan P        free (renders are watermarked) or paid; else free
      --credits N     credits to begin with; else 0
      --scopes a,b    render:write, render:read, templates:read, templates:write, batch:write; else render:write
      --amount N      credits to add
      --limit N       entries of the log; else 50
      --from, --to P  a data folder, or a database as STORE_URL names it (postgres://…)
  -h, --help          print this

"init" makes a workspace with 1000 credits, a key and a sample template, and prints a request to try. A key is printed
once, when it is made: only its SHA-256 is stored. "templates import" refuses local paths in a template: the service
fetches http:, https: and data: URLs alone. "templates show" lists the hotspots, by whose keys or labels variables are
named. "store restore" puts the previous generation in the place of data files that can't be read.

"store copy" adds what PLACE, which no server should be using, has and the other lacks, then reads all of it back and
compares. What is there already is left alone; what is there and differs stops the copy. "migrate" brings the schema of
STORE_URL's database up to date, as every server and command does when it starts, and prints what was applied when.

Exit codes: 0 done; 1 unknown id, malformed template, or data that can't be read or written; 2 wrong usage.
`;
