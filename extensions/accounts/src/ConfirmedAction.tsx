import { useReadAgain } from '@pult/sdk'
import { ConfirmedAction as Confirmed, type ConfirmedActionProps } from '@pult/sdk/ui'
import { accounts } from './accounts.queries.ts'

/** A button with a confirmation. It refetches the shown data after success and failure. */
export function ConfirmedAction(props: Omit<ConfirmedActionProps, 'onSettled'>) {
  return <Confirmed {...props} onSettled={useReadAgain(...accounts)} />
}
