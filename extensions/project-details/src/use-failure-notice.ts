import { useNotify } from '@pult/sdk'

/** Says that something failed, and why. Not that the session has ended: the login, in the place of the page, says that. */
export function useFailureNotice(): (title: string, error: unknown) => void {
  const notify = useNotify()
  return (title, error) => {
    if (error instanceof Error && 'code' in error && error.code === 'UNAUTHENTICATED') return
    notify({ title, text: error instanceof Error ? error.message : String(error), tone: 'danger' })
  }
}
