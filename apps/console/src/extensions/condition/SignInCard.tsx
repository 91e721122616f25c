import type { Condition } from '@pult/contract'
import { ButtonLink, DataCard, StateChip } from '@pult/ui'
import type { CardProps } from './card-props.ts'
import { texts } from './condition.texts.ts'
import { Facts } from './Facts.tsx'
import { PartsBar } from './PartsBar.tsx'

/** Users by sign-in method, sessions, rejected attempts and invitations. */
export function SignInCard({ signIn, state }: { signIn: NonNullable<Condition['signIn']> } & CardProps) {
  const { withPasskey, withOneTimeCode, withPasswordAlone, rootsAtRisk, invitations } = signIn
  const { methods } = texts
  return (
    <DataCard
      state={state}
      title={texts.signIn}
      meta={
        rootsAtRisk.total > 0 ? (
          <StateChip status="warning">{texts.toRemind(rootsAtRisk.total)}</StateChip>
        ) : (
          <StateChip status="ok">{texts.well}</StateChip>
        )
      }
      foot={
        <>
          <ButtonLink href={withPasswordAlone > 0 ? listOfAccounts('otp:false') : '/app/accounts'}>
            {withPasswordAlone > 0 ? texts.withoutFactor(withPasswordAlone) : texts.showAccounts}
          </ButtonLink>
          {signIn.refused > 0 && (
            <ButtonLink variant="ghost" href="/app/audit?search=event%3Alogin+result%3Afailure">
              {texts.showRefused}
            </ButtonLink>
          )}
        </>
      }
    >
      <PartsBar
        parts={[
          { part: '1', value: withPasskey, label: `${methods.withPasskey} ${withPasskey}` },
          { part: '2', value: withOneTimeCode, label: `${methods.withOneTimeCode} ${withOneTimeCode}` },
          {
            part: 'risk',
            value: withPasswordAlone,
            label: `${methods.withPasswordAlone} ${withPasswordAlone}`,
          },
        ]}
      />
      <Facts
        facts={[
          [texts.signedIn, texts.signedInOf(signIn.people, signIn.sessions)],
          [texts.refused, signIn.refused],
          [texts.invitations, texts.invitationsOf(invitations.open, invitations.expiringToday)],
        ]}
      />
    </DataCard>
  )
}

export const listOfAccounts = (search: string) => `/app/accounts?search=${encodeURIComponent(search)}`
