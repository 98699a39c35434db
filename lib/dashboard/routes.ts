// All routes of the admin API, by their path below `/dashboard/api/`.
import { operatorRoutes } from './api/operators.js';
import { type SessionOptions, sessionRoutes } from './api/session.js';
import type { AdminRoutes, DashboardOptions } from './route.js';

export function adminRoutes(options: DashboardOptions, session: SessionOptions): AdminRoutes {
  return {
    ...sessionRoutes(options, session),
    ...operatorRoutes(options),
  };
}
