import type { Condition as ConditionRecord, ReplyOf, retentionEndpoints } from '@pult/contract'
import { AppTile, Card, Elapsed, EmptyState, Page, PageHead, Skeleton, StateChip } from '@pult/ui'
import Shield from 'lucide-react/icons/shield'
import { Navigate } from 'react-router'
import type { Refused } from '#platform/access/refused.ts'
import { build } from '#platform/build.ts'
import { useCardState } from '#platform/desk/use-card-state.tsx'
import { useCredentials } from '#platform/use-credentials.ts'
import { useStore } from '#platform/use-store.ts'
import { AppTiles } from './AppTiles.tsx'
import { Condition } from './condition/Condition.tsx'
import { conditionReadEvery, useCondition, useRetention } from './condition/condition.queries.ts'
import { texts as conditionTexts } from './condition/condition.texts.ts'
import { DownloadDiagnostics } from './condition/DownloadDiagnostics.tsx'
import { GuideLink } from './condition/GuideLink.tsx'
import { toDoOf } from './condition/ToDo.tsx'
import { texts } from './extensions.texts.ts'
import { PageCards } from './PageCards.tsx'
import { apps, isRootApp } from './registry.ts'

/** `/root`: the apps for the installation as a whole, and its condition. */
export function RootPage() {
  const { isRoot } = useCredentials()
  return isRoot ? <Installation /> : <NoAccess />
}

function Installation() {
  const { _id: ownId } = useCredentials()
  const shown = useStore(apps).filter(isRootApp)
  const reading = useCondition()
  const { data, dataUpdatedAt, refetch } = reading
  const { data: retention } = useRetention()
  const state = useCardState(reading, {
    usual: conditionReadEvery,
    skeleton: <Skeleton height="9rem" />,
    failed: conditionTexts.failed,
    failedText: conditionTexts.failedText,
  })
  const toDo = data === undefined ? [] : toDoOf(data, ownId)
  return (
    <Page
      width="data"
      head={
        <PageHead
          icon={<AppTile id="root" tint="slate" icon={<Shield />} />}
          title={texts.rootTitle}
          text={
            <>
              {conditionTexts.running(location.host, build.version)}
              {data?.nodes?.[0] !== undefined && (
                <>
                  {` · ${conditionTexts.upFor} `}
                  <Elapsed since={data.nodes.map(({ startedAt }) => startedAt).toSorted()[0] ?? ''} />
                </>
              )}
            </>
          }
          state={
            data !== undefined && (
              <StateChip status={toDo.length > 0 ? 'warning' : 'ok'}>
                {toDo.length > 0 ? conditionTexts.toDoCount(toDo.length) : conditionTexts.allWell}
              </StateChip>
            )
          }
          actions={
            <>
              <DownloadDiagnostics />
              <GuideLink guide="install">{conditionTexts.documentation}</GuideLink>
            </>
          }
        />
      }
    >
      {shown.length > 0 ? (
        <AppTiles apps={shown} label={texts.rootTitle} facts={factsOf(data, retention)} />
      ) : (
        <Card>
          <EmptyState icon={<Shield aria-hidden="true" />} title={texts.noRootApps} text="" />
        </Card>
      )}
      <PageCards place="root" id={null} />
      <Condition
        condition={data}
        toDo={toDo}
        state={state}
        nextAt={dataUpdatedAt + conditionReadEvery}
        onRetry={() => void refetch()}
      />
    </Page>
  )
}

/** Returns a second line for the tiles of apps that the condition covers. */
function factsOf(
  condition: ConditionRecord | undefined,
  retention: ReplyOf<typeof retentionEndpoints.read> | undefined,
): ReadonlyMap<string, string> {
  const { signIn, extensions } = condition ?? {}
  const facts = new Map<string, string>()
  if (signIn) facts.set('accounts', conditionTexts.accounts(signIn.accounts, signIn.invitations.open))
  if (extensions)
    facts.set('extensions', conditionTexts.extensionsOn(extensions.enabled, extensions.inTrouble.length))
  const audit = retention?.parts.find(({ part }) => part === 'audit')
  if (audit) facts.set('audit', conditionTexts.auditEntries(audit.rows))
  return facts
}

function NoAccess() {
  const refused: Refused = { kind: 'root' }
  return <Navigate to="/" replace state={{ refused }} />
}
