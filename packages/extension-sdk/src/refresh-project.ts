import { useAppHost } from './host.ts'

/**
 * Returns a function that refetches the active project after a call that changed it. Changes by other users arrive
 * automatically.
 *
 * @example const refresh = useRefreshProject(); await call(projectEndpoints.setDefault, { params }); await refresh()
 */
export function useRefreshProject(): () => Promise<void> {
  return useAppHost().refreshProject
}
