import { ConfirmedAction as Confirmed, type ConfirmedActionProps } from '@pult/sdk/ui'
import { useReadAgain } from './extensions.queries.ts'

/** A button that asks first; whatever comes of it, what is on screen is read again. */
export function ConfirmedAction(props: Omit<ConfirmedActionProps, 'onSettled'>) {
  return <Confirmed {...props} onSettled={useReadAgain()} />
}
