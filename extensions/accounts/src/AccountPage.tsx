import { PageTabs, useApi, useAppParams, useCall, usePageTitle } from '@pult/sdk'
import { type Account, rootPeopleEndpoints } from '@pult/sdk/api/root'
import { RecordPage } from '@pult/sdk/resource'
import { Avatar, Card, EmptyState, keepFocus, PageHead, TimeAgo } from '@pult/sdk/ui'
import type { ReactNode } from 'react'
import { AccountPower } from './AccountPower.tsx'
import { AccountState } from './AccountState.tsx'
import styles from './accounts.module.css'
import { texts } from './accounts.texts.ts'
import { Belongings } from './Belongings.tsx'
import { ConfirmedAction } from './ConfirmedAction.tsx'
import { Grants } from './Grants.tsx'
import { nameOf } from './name-of.ts'
import { Sessions } from './Sessions.tsx'

/** One account: its security, sessions and roles. */
export function AccountPage() {
  const { accountId = '' } = useAppParams()
  const query = useCall(rootPeopleEndpoints.read, { params: { personId: accountId } })
  return (
    <RecordPage
      back={texts.back}
      query={query}
      failed={texts.oneLoadingFailed}
      gone={<EmptyState title={texts.gone} text={texts.goneText} />}
    >
      {(account) => <AccountCards account={account} />}
    </RecordPage>
  )
}

function AccountCards({ account }: { account: Account }) {
  const name = nameOf(account)
  usePageTitle(name)
  return (
    <>
      <PageHead
        icon={<Avatar id={account._id} name={name} />}
        title={name}
        text={account.email}
        state={<AccountState account={account} />}
        actions={<AccountPower account={account} />}
      />
      <PageTabs page="person" id={account._id} label={texts.overview}>
        <SignIn account={account} />
        <Belongings account={account} />
        <Grants account={account} />
        <Sessions account={account} />
      </PageTabs>
    </>
  )
}

function SignIn({ account }: { account: Account }) {
  const call = useApi()
  const params = { personId: account._id }
  const name = nameOf(account)
  return (
    <Card ref={keepFocus} tabIndex={-1} title={texts.signIn} flush>
      <dl className={styles.facts}>
        <Fact
          name={texts.email}
          action={
            !account.isEmailVerified && (
              <ConfirmedAction
                label={texts.confirmEmail}
                question={texts.confirmEmailQuestion}
                text={texts.confirmEmailText(account.email, name)}
                destructive={false}
                done={texts.emailConfirmed}
                run={() => call(rootPeopleEndpoints.confirmEmail, { params })}
              />
            )
          }
        >
          {account.isEmailVerified ? texts.emailVerified : texts.emailNotVerified}
        </Fact>
        <Fact name={texts.password}>{account.hasPassword ? texts.passwordSet : texts.passwordMissing}</Fact>
        <Fact
          name={texts.secondFactor}
          action={
            account.otpEnabled && (
              <ConfirmedAction
                label={texts.resetFactor}
                variant="danger-quiet"
                question={texts.resetFactorQuestion}
                text={texts.resetFactorText(name)}
                confirmLabel={texts.confirmResetFactor}
                done={texts.factorReset}
                run={() => call(rootPeopleEndpoints.resetSecondFactor, { params })}
              />
            )
          }
        >
          {account.otpEnabled ? texts.on : texts.off}
        </Fact>
        <Fact name={texts.passkeys}>{account.passkeys}</Fact>
        <Fact
          name={texts.lock}
          action={
            account.isLocked && (
              <ConfirmedAction
                label={texts.unlock}
                question={texts.unlockQuestion}
                text={texts.unlockText(name)}
                destructive={false}
                done={texts.unlocked}
                run={() => call(rootPeopleEndpoints.unlock, { params })}
              />
            )
          }
        >
          {account.isLocked ? texts.lockedText : texts.notLocked}
        </Fact>
        <Fact name={texts.created}>
          <TimeAgo at={account.createdAt} />
        </Fact>
        <Fact name={texts.lastSeen}>
          {account.lastSeenAt === null ? texts.never : <TimeAgo at={account.lastSeenAt} />}
        </Fact>
      </dl>
    </Card>
  )
}

function Fact({ name, action, children }: { name: string; action?: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>
        {children}
        {action}
      </dd>
    </div>
  )
}
