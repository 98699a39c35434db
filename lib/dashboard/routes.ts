// All routes of the admin API, by their path below `/dashboard/api/`.
import { auditRoutes } from './api/audit.js';
import { contentRoutes } from './api/content.js';
import { creditRoutes } from './api/credits.js';
import { keyRoutes } from './api/keys.js';
import { linkRoutes } from './api/links.js';
import { operatorRoutes } from './api/operators.js';
import { previewRoutes } from './api/preview.js';
import { type SessionOptions, sessionRoutes } from './api/session.js';
import { workspaceRoutes } from './api/workspaces.js';
import type { AdminRoutes, DashboardOptions } from './route.js';

export function adminRoutes(options: DashboardOptions, session: SessionOptions): AdminRoutes {
  return {
    ...sessionRoutes(options, session),
    ...operatorRoutes(options),
    ...workspaceRoutes(options),
    ...keyRoutes(options),
    ...linkRoutes(options),
    ...creditRoutes(options),
    ...contentRoutes(options),
    ...auditRoutes(options),
    ...previewRoutes(options),
  };
}
