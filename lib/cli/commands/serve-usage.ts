// What `render serve --help` prints.

export const SERVE_USAGE = `Usage: render serve [--host H] [--port N] [--data DIR]

Serves POST /v1/render, and GET /healthz, /readyz, /openapi.json and /docs. Prints "listening on http://H:N" when it is ready;
its log goes to standard error, a JSON line a request. SIGTERM or Ctrl-C lets the renders that run come to their end.
"render init" makes a first workspace, a key and a sample template in the data folder, before or while the server runs.

      --host H    the address to listen on; else HOST, else 127.0.0.1
      --port N    the port, 0 for any free one; else PORT, else 8080
      --data DIR  the data folder, made when it is missing; else DATA_DIR, else ./data
  -h, --help      print this

Environment (empty counts as unset):
  STORE_URL                                       postgres://…: keys, credits, templates, rate windows and the log are
                                                  in that database, for any number of servers; no data folder then
  STORE_CONNECTIONS           10                  connections of this server to it
  METRICS_PORT                                    figures for Prometheus at GET /metrics of this port; unset, none.
                                                  Whoever reaches it reads them: keep it from strangers
  METRICS_HOST                127.0.0.1           the address of that port
  LOG_LEVEL                   info                debug (probes too), info, warn (answers 5xx), error or silent
  SHUTDOWN_DELAY_MS           0                   after SIGTERM /readyz says 503 for so long before anything is refused,
                                                  so that a load balancer finds out
  API_KEY_RATE_LIMIT_PER_MIN  60                  requests of a key in any 60 seconds
  RENDER_CREDIT_COST          1                   credits a render
  WATERMARK_TEXT              Made with Platen    drawn on the pictures of free workspaces
  UPGRADE_URL                 /dashboard/billing  where the answer 402 points
  MAX_BODY_BYTES              10485760            size of a request
  MAX_LAYERS                  500                 layers of one payload
  RENDER_TIMEOUT_MS           30000               one whole render
  RENDER_WORKERS              number of cores     render processes; 0 renders in the server itself
  RENDER_QUEUE                256                 renders that may wait for one
  RENDER_MEMORY_MB            1024                what the renders in flight may hold together
  RENDER_CACHE_MB             64                  finished renders kept for requests that are the same; 0 keeps none
  ASSET_TIMEOUT_MS            10000               one remote picture or font, redirects included
  ASSET_MAX_BYTES             26214400            size of one
  ASSET_MAX_PIXELS            67108864            decoded size of one picture
  ASSET_ALLOW_HOSTS                               hosts (a,b:8080) that may be fetched from although they are not public
`;
