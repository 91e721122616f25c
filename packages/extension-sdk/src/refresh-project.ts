import { useAppHost } from './host.ts'

/**
 * Has the active project read again, after a call that changed it. Changes by others come by themselves.
 *
 * @example const refresh = useRefreshProject(); await call(projectEndpoints.setDefault, { params }); await refresh()
 */
export function useRefreshProject(): () => Promise<void> {
  return useAppHost().refreshProject
}
