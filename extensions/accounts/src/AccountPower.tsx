import { ApiError, useApi, useAppNavigate } from '@pult/sdk'
import { type Account, rootPeopleEndpoints } from '@pult/sdk/api'
import { Card, keepFocus } from '@pult/sdk/ui'
import type { ReactNode } from 'react'
import styles from './accounts.module.css'
import { texts } from './accounts.texts.ts'
import { ConfirmedAction } from './ConfirmedAction.tsx'
import { nameOf } from './name-of.ts'

/** What an account is as a whole: root or not, enabled or not, there or not. */
export function AccountPower({ account }: { account: Account }) {
  const { _id: personId, email, isRoot, isDisabled, revision } = account
  const call = useApi()
  const goTo = useAppNavigate()
  const name = nameOf(account)
  const params = { personId }
  const update = (body: { isRoot?: boolean; isDisabled?: boolean }) =>
    call(rootPeopleEndpoints.update, { params, body, revision })
  return (
    <Card ref={keepFocus} tabIndex={-1} className={styles.card} title={texts.account} flush>
      <Power hint={texts.makeRootHint}>
        {isRoot ? (
          <ConfirmedAction
            label={texts.endRoot}
            variant="danger-quiet"
            question={texts.endRootQuestion}
            text={texts.endRootText(name)}
            done={texts.rootEnded(name)}
            run={() => update({ isRoot: false })}
          />
        ) : (
          <ConfirmedAction
            label={texts.makeRoot}
            question={texts.makeRootQuestion}
            text={texts.makeRootText(name)}
            destructive={false}
            done={texts.madeRoot(name)}
            run={() => update({ isRoot: true })}
          />
        )}
      </Power>
      <Power hint={texts.disableHint}>
        {isDisabled ? (
          <ConfirmedAction
            label={texts.enable}
            question={texts.enableQuestion}
            text={texts.enableText(name)}
            destructive={false}
            done={texts.accountEnabled}
            run={() => update({ isDisabled: false })}
          />
        ) : (
          <ConfirmedAction
            label={texts.disable}
            variant="danger-quiet"
            question={texts.disableQuestion}
            text={texts.disableText(name)}
            done={texts.accountDisabled}
            run={() => update({ isDisabled: true })}
          />
        )}
      </Power>
      <Power hint={texts.deleteHint}>
        <ConfirmedAction
          label={texts.delete}
          variant="danger-quiet"
          question={texts.deleteQuestion}
          text={texts.deleteText(name, email)}
          done={texts.deleted(name)}
          run={() => call(rootPeopleEndpoints.remove, { params })}
          onDone={() => goTo('', { replace: true })}
          renderError={(error) => <RemovalRefusal error={error} />}
        />
      </Power>
    </Card>
  )
}

function Power({ hint, children }: { hint: string; children: ReactNode }) {
  return (
    <div className={styles.power}>
      <p className={styles.quiet}>{hint}</p>
      {children}
    </div>
  )
}

/** What somebody owns stands in the way, and is named. */
function RemovalRefusal({ error }: { error: Error }) {
  const owned = ownedIn(error)
  return (
    <>
      {error.message}
      {owned.length > 0 && (
        <ul className={styles.owned} aria-label={texts.stillOwns}>
          {owned.map(({ _id, label }) => (
            <li key={_id}>{label}</li>
          ))}
        </ul>
      )}
    </>
  )
}

type Owned = { _id: string; label: string }[]

/** As the endpoint describes the detail of this code. */
function ownedIn(error: Error): Owned {
  if (!(error instanceof ApiError) || error.code !== 'PERSON_OWNS') return []
  const { organisations, projects } = error.detail as { organisations: Owned; projects: Owned }
  return [...organisations, ...projects]
}
