// A component whose code is loaded when it is first shown, or earlier.
import type { ComponentType, FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Alert, Skeleton } from './feedback.js';

export type LazyComponent<Props> = FunctionComponent<Props> & {
  /** Loads the code, so that the component appears at once. */
  prefetch(): Promise<void>;
};

export interface LazyOptions<Props> {
  /** Shows nothing while it loads. */
  readonly isSilent?: boolean;
  /** The component that is shown while it loads. */
  readonly meanwhile?: ComponentType<Props>;
}

/**
 * Creates the component: `const Panel = lazy(() => import('./panel.js'), (module) => module.Panel)`. It shows that it is
 * loading, or that it can't be loaded; it tries again when it is shown again.
 */
export function lazy<Module, Props extends object>(
  load: () => Promise<Module>,
  componentOf: (module: Module) => ComponentType<Props>,
  { isSilent = false, meanwhile: Meanwhile }: LazyOptions<Props> = {},
): LazyComponent<Props> {
  let loaded: ComponentType<Props> | undefined;
  const loadOnce = async () => {
    loaded ??= componentOf(await load());
  };
  function Lazy(props: Props) {
    const [Component, setComponent] = useState<ComponentType<Props> | undefined>(() => loaded);
    const [hasFailed, setFailed] = useState(false);
    useEffect(() => {
      if (Component) return;
      let isMounted = true;
      loadOnce().then(
        () => isMounted && setComponent(() => loaded),
        () => isMounted && setFailed(true),
      );
      return () => {
        isMounted = false;
      };
    }, []);
    if (Component) return <Component {...props} />;
    if (hasFailed) return <Alert>This part of the page could not be loaded. Reload the page.</Alert>;
    if (Meanwhile) return <Meanwhile {...props} />;
    return isSilent ? null : <Skeleton height="6rem" />;
  }
  // a failure appears when the component does
  return Object.assign(Lazy, { prefetch: () => loadOnce().catch(() => {}) });
}
