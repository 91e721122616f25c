import type { ComponentType, ReactNode } from 'react'
import { Link, Navigate, type NavigateOptions, useLocation, useNavigate, useParams } from 'react-router'
import { useAppHost } from './host.ts'

/**
 * Returns a function that turns a path of the app into a complete one, for components that need a complete path.
 *
 * @example const pathOf = useAppPath(); <ButtonLink href={pathOf('items/create')}>Create</ButtonLink>
 */
export function useAppPath(): (path: string) => string {
  const { basePath } = useAppHost()
  return (path) => (path === '' ? basePath : `${basePath}/${path.replace(/^\/+/, '')}`)
}

/**
 * Renders a link to another page of the app.
 *
 * @example <AppLink to={`items/${item._id}`}>{item.label}</AppLink>
 */
export function AppLink({
  to,
  children,
  className,
}: {
  to: string
  children: ReactNode
  className?: string
}) {
  return (
    <Link to={useAppPath()(to)} className={className}>
      {children}
    </Link>
  )
}

/**
 * Returns a function that navigates to another page of the app.
 *
 * @example const navigate = useAppNavigate(); navigate('items', { replace: true })
 */
export function useAppNavigate(): (to: string, options?: Pick<NavigateOptions, 'replace'>) => void {
  const navigate = useNavigate()
  const pathOf = useAppPath()
  return (to, options) => void navigate(pathOf(to), options)
}

/**
 * Returns the parameters of the page's path, such as `itemId` of `items/:itemId`.
 *
 * @example const { itemId = '' } = useAppParams()
 */
export function useAppParams(): Readonly<Record<string, string | undefined>> {
  return useParams()
}

/**
 * Returns a page for an old address that redirects to the new one and keeps the query.
 *
 * @example { name: 'app-show-cue', path: ':cueId', Component: redirectTo(({ cueId }) => `edit/${cueId}`) }
 */
export function redirectTo(
  pathOf: (params: Readonly<Record<string, string | undefined>>) => string,
): ComponentType {
  return function Redirect() {
    const { search } = useLocation()
    return <Navigate to={{ pathname: useAppPath()(pathOf(useParams())), search }} replace />
  }
}
