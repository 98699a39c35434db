// The help text of the admin commands.

export const ADMIN_USAGE = `Usage: render init
       render workspaces create --name N [--plan free|paid] [--credits N]
       render workspaces list
       render workspaces update ID [--name N] [--plan free|paid]
       render workspaces delete ID [--yes]
       render keys create --workspace W --name N [--scopes a,b] [--rate-limit N]
       render keys list --workspace W
       render keys revoke ID
       render links create --workspace W --name N
       render links list --workspace W
       render links revoke ID
       render credits show --workspace W
       render credits grant|revoke --workspace W --amount N
       render templates import <template.json | -> --workspace W [--draft]
       render templates update ID <template.json | -> [--draft]
       render templates list [--workspace W]
       render templates versions ID
       render templates show|export ID[@VERSION]
       render templates publish ID VERSION
       render templates restore ID VERSION [--draft]
       render templates delete ID
       render templates lint <template.json | - | ID[@VERSION]>
       render templates diff <template.json | - | ID[@VERSION]> <template.json | - | ID[@VERSION]> [-o diff.png]
       render assets add FILE --workspace W
       render assets list --workspace W
       render assets delete ID --workspace W [--force]
       render log --workspace W [--status ok|failed] [--template ID] [--key ID] [--from T] [--to T]
                  [--metadata NAME=VALUE]... [--limit N]
       render operators create NAME [--role owner|editor|viewer] [--workspace W]
       render operators list
       render operators link|remove NAME
       render audit [--workspace W] [--action A] [--limit N]
       render store restore
       render store copy --from STORE --to STORE
       render migrate

Administers the data folder of "render serve", or the database at STORE_URL if that is set (--data is then ignored).
Servers may be running. Changes apply from the next request on. W and ID are the ids that "create", "import" and "list"
print. Lists show the newest entries first.

      --data DIR      data folder; default: DATA_DIR, else ./data
      --json          print JSON instead of text
      --name N        display name of the workspace, key or link key
      --plan P        free (renders are watermarked) or paid; default: free
      --credits N     initial credits; default: 0
      --yes           workspaces delete: don't ask for confirmation; needed if there is no terminal
      --scopes a,b    render:write, render:read, templates:read, templates:write, batch:write; default: render:write
      --rate-limit N  renders a minute of this key, instead of API_KEY_RATE_LIMIT_PER_MIN
      --amount N      credits to add or to take back
      --draft         store the new version without publishing it
      --force         assets delete: even if templates use the asset
  -o, --output FILE   templates diff: write a PNG of the pixels that differ to FILE
      --status S      log: ok or failed
      --template ID   log: renders of this template
      --key ID        log: renders with this key
      --from, --to T  log: not before, and before, this date or time (UTC): 2026-01-31 or 2026-01-31T12:00:00
      --metadata N=V  log: renders whose metadata has this value; repeatable, all must match
      --limit N       log, audit: maximum number of entries; default: 50
      --role R        owner (all workspaces, and the operators), editor (templates, keys) or viewer; default: owner, or
                      editor with --workspace, which takes one id or several, separated by commas
      --action A      audit: such as key.create, credits.grant or session.fail
      --from, --to S  store copy: a data folder, or a database URL such as STORE_URL takes (postgres://…)
  -h, --help          print this help

"init" creates a workspace with 1000 credits, an API key, a sample template and the operator "admin", and prints a
request to try and a link to sign in. A key is printed once, when it is created: only its SHA-256 is stored.
"workspaces delete" also deletes the workspace's keys, link keys, templates and assets. "credits revoke" takes back at
most what is not held by a running render.

A link key signs image links, URLs that need no API key: GET /v1/images/ID.png?…&signature=…. "links create" prints its
private key once; only the public half is stored. Links that a revoked key signed are refused.

"templates import" and "update" reject local paths in a template: the service fetches only http:, https: and data: URLs.
Each change makes a new version; renders use the one that was published last. "templates restore" makes a new version
that equals an old one. "templates show" lists the hotspots, whose keys and labels are the names of the template's
variables. "templates lint" finds probable mistakes in a template, such as a hotspot that is hidden under a fixed layer.
"templates diff" lists the fields that differ between two templates; with -o, it also renders both with their defaults
and counts the pixels that differ. Neither needs a store for templates in files.

"assets add" stores an image or a font, which templates and payloads of the workspace name as asset:ID.

An operator uses the dashboard, at /dashboard/ of the server. "operators create" and "operators link" print a link by
which the operator chooses a password: it works once, for 15 minutes, and makes earlier links invalid. "operators
remove" ends the operator's sessions at once. "audit" lists who changed what: operators, API keys and these commands.

"store restore" replaces unreadable data files by their previous generation. "store copy" copies to the second store
what it lacks of the first, then reads everything back and compares. No server should be using the second store.
Existing records are kept; an existing record that differs stops the copy. "migrate" updates the database schema at
STORE_URL, as every server and command does when it starts, and lists the migrations.

Exit codes: 0 success; 1 unknown id, invalid template, unreadable or unwritable data, or findings of "templates lint";
2 usage error.
`;
