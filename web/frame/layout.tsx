// The frame of every page of a signed-in operator: header, navigation, main.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { toast } from '../app/announce.js';
import { ApiError } from '../app/api.js';
import { current, navigate, path } from '../app/router.js';
import { chooseWorkspace, hasRole, session, signOut, workspace } from '../app/session.js';
import { Button } from '../ui/button.js';
import { Select } from '../ui/field.js';
import { Icon, Logo } from '../ui/icon.js';
import { type FramedRoute, ROUTES } from './routes.js';

const GROUPS = [
  { id: 'home', name: undefined },
  { id: 'design', name: 'Design' },
  { id: 'use', name: 'API' },
  { id: 'manage', name: 'Manage' },
] as const;

/** Pixels before the current link in a navigation that scrolls. */
const SCROLL_MARGIN = 80;

export function Layout({ children }: { readonly children: ComponentChildren }) {
  const width = (current.value?.route as FramedRoute | undefined)?.width;
  return (
    <div class={width ? `frame frame-${width}` : 'frame'}>
      <a class="skip-link" href="#main">
        Skip to content
      </a>
      <header class="header">
        <a class="brand" href="/dashboard/" aria-label="Platen">
          <Logo size={26} />
          <span class="brand-name">Platen</span>
        </a>
        <WorkspaceChoice />
        <span class="header-space" />
        <span class="header-operator" title={`Signed in as ${session.value?.operator.role}`}>
          {session.value?.operator.name}
        </span>
        <SignOut />
      </header>
      <Navigation />
      <main id="main" class="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

function Navigation() {
  const element = useRef<HTMLElement>(null);
  // on narrow windows the navigation is one line that scrolls
  useEffect(() => {
    const link = path.value && element.current?.querySelector<HTMLElement>('[aria-current]');
    if (link) element.current?.scrollTo({ left: link.offsetLeft - SCROLL_MARGIN });
  }, [path.value]);
  const visible = ROUTES.filter(({ navigation, roles }) => navigation && (!roles || hasRole(...roles)));
  return (
    <nav ref={element} class="navigation" aria-label="Pages">
      {GROUPS.map(({ id, name }) => {
        const routes = visible.filter(({ navigation }) => navigation?.group === id);
        if (routes.length === 0) return null;
        return (
          <div key={id} class="navigation-group">
            {name && (
              <span class="navigation-heading" aria-hidden="true">
                {name}
              </span>
            )}
            {routes.map((route) => (
              <a
                key={route.path}
                href={route.path}
                title={route.name}
                aria-current={isCurrent(route) ? 'page' : undefined}
              >
                <Icon name={route.navigation?.icon ?? 'file'} />
                <span>{route.name}</span>
              </a>
            ))}
          </div>
        );
      })}
    </nav>
  );
}

/** Whether the entry is current. A page below another one, such as a template's, belongs to that one's entry. */
function isCurrent({ path: own }: FramedRoute): boolean {
  const currentPath = path.value.replace(/\/$/, '');
  const wanted = own.replace(/\/$/, '');
  return currentPath === wanted || (own !== '/dashboard/' && currentPath.startsWith(`${wanted}/`));
}

function WorkspaceChoice() {
  const workspaces = session.value?.workspaces ?? [];
  const currentWorkspace = workspace.value;
  if (!currentWorkspace) return null;
  if (workspaces.length === 1) return <span class="workspace-name">{currentWorkspace.name}</span>;
  const choose = (id: string) => {
    chooseWorkspace(id);
    // a page below a list shows an object of the other workspace
    if (Object.keys(current.value?.params ?? {}).length > 0) navigate(path.value.replace(/\/[^/]*\/?$/, ''));
    else navigate(path.value, { replace: true });
  };
  return (
    <Select
      aria-label="Workspace"
      class="select-quiet workspace-choice"
      value={currentWorkspace.id}
      options={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={choose}
    />
  );
}

function SignOut() {
  const [isBusy, setBusy] = useState(false);
  const leave = async () => {
    setBusy(true);
    try {
      await signOut();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      toast(`Not signed out: ${error.message}`);
      setBusy(false);
    }
  };
  return (
    <Button kind="quiet" icon="signOut" class="sign-out" isBusy={isBusy} onClick={leave}>
      Sign out
    </Button>
  );
}

/** The frame of pages without a session: a card in the middle. */
export function PublicLayout({ children }: { readonly children: ComponentChildren }) {
  return (
    <div class="public">
      <header class="public-brand">
        <Logo size={32} />
        <span class="brand-name">Platen</span>
      </header>
      <main id="main" class="public-main" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}
