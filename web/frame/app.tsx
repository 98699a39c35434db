// The whole window: the page of the address in its frame, notes, and the live region.
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { announcement, toasts } from '../app/announce.js';
import { ApiError } from '../app/api.js';
import { current, type PageProps } from '../app/router.js';
import { hasRole, loadSession, session, sessionError, workspace } from '../app/session.js';
import { Empty, Failed } from '../ui/feedback.js';
import { Icon } from '../ui/icon.js';
import { Page } from '../ui/page.js';
import { Layout, PublicLayout } from './layout.js';
import type { FramedRoute } from './routes.js';

export function App() {
  return (
    <>
      <Window />
      <div class="visually-hidden" role="status" aria-live="polite">
        {announcement.value}
      </div>
      <div class="toasts" aria-hidden="true">
        {toasts.value.map(({ id, text }) => (
          <div key={id} class="toast">
            <Icon name="check" />
            {text}
          </div>
        ))}
      </div>
    </>
  );
}

function Window() {
  const route = current.value?.route as FramedRoute | undefined;
  if (route?.isPublic) {
    return (
      <PublicLayout>
        <Content />
      </PublicLayout>
    );
  }
  if (sessionError.value) {
    return (
      <PublicLayout>
        <div class="card">
          <h1 class="visually-hidden">Platen</h1>
          <Failed error={sessionError.value} onRetry={loadSession} />
        </div>
      </PublicLayout>
    );
  }
  // without a session the guard is about to lead to Sign in
  if (!session.value) return <div class="frame frame-waiting" aria-busy="true" />;
  return (
    <Layout>
      <Content />
    </Layout>
  );
}

interface Loaded {
  readonly route: FramedRoute;
  readonly Component?: ComponentType<PageProps>;
  readonly error?: ApiError;
}

/** The page itself. The previous page stays until the chunk of the next one has loaded. */
function Content() {
  const match = current.value;
  const route = match?.route as FramedRoute | undefined;
  const [loaded, setLoaded] = useState<Loaded>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (!route) return;
    let isWanted = true;
    route.load().then(
      (module) => isWanted && setLoaded({ route, Component: module.default }),
      () => {
        // this also happens after an update of the server, which has other chunks then
        const error = new ApiError(0, {
          code: 'chunk',
          error: 'Part of the page could not be loaded. Reload the page.',
        });
        if (isWanted) setLoaded({ route, error });
      },
    );
    return () => {
      isWanted = false;
    };
  }, [route, attempt]);

  if (!route) {
    return (
      <Page title="Not found">
        <Empty icon="search" title="There is no such page">
          Choose one from the navigation.
        </Empty>
      </Page>
    );
  }
  const isShown = loaded?.route === route;
  if (isShown && loaded.error) {
    return (
      <Page title={route.name}>
        <Failed error={loaded.error} onRetry={() => setAttempt(attempt + 1)} />
      </Page>
    );
  }
  if (!isShown || !loaded.Component) return null;
  if (route.roles && !hasRole(...route.roles)) {
    return (
      <Page title={route.name}>
        <Empty icon={route.navigation?.icon ?? 'file'} title={`This page is for ${route.roles.join('s and ')}s`}>
          Ask an owner if you need it.
        </Empty>
      </Page>
    );
  }
  if (!route.isPublic && !workspace.value && route.path !== '/dashboard/operators') {
    return (
      <Page title={route.name}>
        <Empty icon="templates" title="No workspace yet">
          Ask an owner to give you one, or make one with <code>platen workspaces create --name NAME</code>.
        </Empty>
      </Page>
    );
  }
  // another workspace or another record is another page: no state of the previous one may stay
  const key = `${workspace.value?.id} ${Object.values(match?.params ?? {}).join('/')}`;
  return <loaded.Component key={key} params={match?.params ?? {}} />;
}
