import { ApiError, useApi, useAppNavigate } from '@pult/sdk'
import { type Account, rootPeopleEndpoints } from '@pult/sdk/api/root'
import { keepFocus } from '@pult/sdk/ui'
import styles from './accounts.module.css'
import { texts } from './accounts.texts.ts'
import { ConfirmedAction } from './ConfirmedAction.tsx'
import { nameOf } from './name-of.ts'

/** Actions on the whole account, for the head of its page: root rights, disabling and removal. */
export function AccountPower({ account }: { account: Account }) {
  const { _id: personId, email, isRoot, isDisabled, revision } = account
  const call = useApi()
  const goTo = useAppNavigate()
  const name = nameOf(account)
  const params = { personId }
  const update = (body: { isRoot?: boolean; isDisabled?: boolean }) =>
    call(rootPeopleEndpoints.update, { params, body, revision })
  return (
    <span ref={keepFocus} tabIndex={-1} className={styles.powers}>
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
    </span>
  )
}

/** Names the owned organisations and projects that prevent the removal. */
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

/** Parses the details that the endpoint declares for this code. */
function ownedIn(error: Error): Owned {
  if (!(error instanceof ApiError) || error.code !== 'PERSON_OWNS') return []
  const { organisations, projects } = error.detail as { organisations: Owned; projects: Owned }
  return [...organisations, ...projects]
}
