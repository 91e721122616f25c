import { useReadAgain } from '@pult/sdk'
import { ConfirmedAction as Confirmed, type ConfirmedActionProps } from '@pult/sdk/ui'
import { extensionsPath } from './extensions.queries.ts'

/** A button that asks for confirmation and refetches the page's data after success and failure. */
export function ConfirmedAction(props: Omit<ConfirmedActionProps, 'onSettled'>) {
  return <Confirmed {...props} onSettled={useReadAgain(extensionsPath)} />
}
