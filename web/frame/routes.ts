// Lists every page: its path, its place in the navigation, and the chunk that contains its component.
import type { OperatorRole } from '../../lib/contract/dashboard.js';
import type { PageRoute } from '../app/router.js';
import type { IconName } from '../ui/icon.js';

export interface FramedRoute extends PageRoute {
  /** The page's heading, and the text of its link in the navigation. */
  readonly name: string;
  /** Place in the navigation; absent for pages that have no link there. */
  readonly navigation?: { readonly icon: IconName; readonly group: 'home' | 'design' | 'use' | 'manage' };
  /** Roles that may see it; all by default. */
  readonly roles?: readonly OperatorRole[];
  /** `wide`: uses the whole width of the window. `full`: fills the window, with the names of the navigation hidden. */
  readonly width?: 'wide' | 'full';
}

/** The pages in the navigation's order. */
export const ROUTES: readonly FramedRoute[] = [
  { path: '/dashboard/login', name: 'Sign in', load: () => import('../pages/sign-in/sign-in.js'), isPublic: true },
  {
    path: '/dashboard/link',
    name: 'Set password',
    load: () => import('../pages/sign-in/set-password.js'),
    isPublic: true,
  },
  {
    path: '/dashboard/',
    name: 'Overview',
    load: () => import('../pages/overview/overview.js'),
    navigation: { icon: 'overview', group: 'home' },
  },
  {
    path: '/dashboard/templates',
    name: 'Templates',
    load: () => import('../pages/templates/templates.js'),
    navigation: { icon: 'templates', group: 'design' },
  },
  {
    path: '/dashboard/templates/:id',
    name: 'Editor',
    load: () => import('../pages/editor/editor.js'),
    width: 'full',
  },
  {
    path: '/dashboard/playground',
    name: 'Playground',
    load: () => import('../pages/playground/playground.js'),
    navigation: { icon: 'play', group: 'design' },
    roles: ['owner', 'editor'],
    width: 'wide',
  },
  {
    path: '/dashboard/keys',
    name: 'Keys',
    load: () => import('../pages/keys/keys.js'),
    navigation: { icon: 'key', group: 'use' },
  },
  {
    path: '/dashboard/links',
    name: 'Links',
    load: () => import('../pages/links/links.js'),
    navigation: { icon: 'link', group: 'use' },
  },
  {
    path: '/dashboard/renders',
    name: 'Renders',
    load: () => import('../pages/renders/renders.js'),
    navigation: { icon: 'renders', group: 'use' },
  },
  {
    path: '/dashboard/billing',
    name: 'Billing',
    load: () => import('../pages/billing/billing.js'),
    navigation: { icon: 'billing', group: 'manage' },
  },
  {
    path: '/dashboard/activity',
    name: 'Activity',
    load: () => import('../pages/activity/activity.js'),
    navigation: { icon: 'activity', group: 'manage' },
  },
  {
    path: '/dashboard/operators',
    name: 'Operators',
    load: () => import('../pages/operators/operators.js'),
    navigation: { icon: 'operators', group: 'manage' },
    roles: ['owner'],
  },
];
