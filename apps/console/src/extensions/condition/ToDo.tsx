import { type Condition, conditionEndpoints, rootExtensionEndpoints } from '@pult/contract'
import { useChange } from '@pult/sdk'
import {
  Button,
  ButtonLink,
  ConfirmDialog,
  DataCard,
  formatInstant,
  formatTime,
  type Status,
  StatusShape,
} from '@pult/ui'
import { type ReactNode, useState } from 'react'
import { notify } from '#platform/notify.ts'
import { texts as backupTexts } from './backups.texts.ts'
import { CopySetting } from './CopySetting.tsx'
import styles from './condition.module.css'
import { texts } from './condition.texts.ts'
import { listOfAccounts } from './SignInCard.tsx'
import { isNearLimit } from './space.ts'

/** A decision for root, with the controls that resolve it. */
export interface ToDoItem {
  key: string
  status: Status
  title: string
  text: string
  remedy?: ReactNode
}

/** The list of decisions; failures first. */
export function ToDo({ items }: { items: readonly ToDoItem[] }) {
  return (
    <DataCard title={texts.toDo} flush>
      <ul className={styles.rows}>
        {items.map(({ key, status, title, text, remedy }) => (
          <li key={key}>
            <StatusShape status={status} />
            <div className={styles.what}>
              <strong className={styles.subject}>{title}</strong>
              <p>{text}</p>
            </div>
            {remedy !== undefined && remedy !== false && <div className={styles.actions}>{remedy}</div>}
          </li>
        ))}
      </ul>
    </DataCard>
  )
}

/** Checks with their own item below. All others show the server's texts. */
const drawn = new Set([
  'nodes',
  'extensions',
  'limit',
  'mail.stuck',
  'mail.none',
  'proxy',
  'proxy.other',
  'roots',
])

/** Returns the decisions of a condition. `ownId` is the id of the signed-in user. */
export function toDoOf(condition: Condition, ownId: string): ToDoItem[] {
  const { mail, signIn, nodes, files, extensions, untrustedProxy } = condition
  const proxyCheck = condition.checks.find(({ id }) => id === 'proxy')
  const mailFix = condition.checks.find(({ id }) => id === 'mail.stuck')?.fix
  const items: (ToDoItem | null | false | undefined)[] = [
    ...(nodes ?? [])
      .filter(({ isAlive }) => !isAlive)
      .map(({ _id, name, seenAt }) => ({
        key: _id,
        status: 'danger' as const,
        title: texts.nodeLost(name),
        text: texts.nodeLostText(formatTime(seenAt)),
      })),
    ...(extensions?.inTrouble ?? []).map(({ id, label, problem }) => ({
      key: `extension ${id}`,
      status: 'danger' as const,
      title: texts.extensionTrouble(label),
      text: problem,
      remedy: <ExtensionRemedy id={id} label={label} />,
    })),
    files &&
      isNearLimit(files) && {
        key: 'limit',
        status: 'warning',
        title: texts.nearLimit(percent(files.size / (files.limit ?? 1))),
        text: texts.nearLimitText,
      },
    mail?.trouble && {
      key: 'mail stuck',
      status: 'danger',
      title: texts.mailStuck(mail.waiting),
      text: texts.mailStuckText(formatInstant(mail.trouble.since), mail.trouble.error, mailFix ?? 'SMTP_URL'),
    },
    mail?.server === null && {
      key: 'mail',
      status: 'warning',
      title: texts.noMail,
      text: texts.noMailText,
      remedy: <CopySetting text={texts.smtpExample} />,
    },
    untrustedProxy && {
      key: 'proxy',
      status: 'warning',
      title: texts.proxy(untrustedProxy.address),
      text:
        proxyCheck === undefined
          ? texts.otherProxyText(formatInstant(untrustedProxy.seenAt))
          : texts.proxyText(proxyCheck.fix, formatInstant(untrustedProxy.seenAt)),
      // Only if this page came through the proxy. The server adds the address to the configured ones.
      remedy: proxyCheck && <CopySetting text={proxyCheck.fix} />,
    },
    signIn && signIn.rootsAtRisk.total > 0 && rootsItem(signIn.rootsAtRisk, ownId),
  ]
  const others = condition.checks
    .filter(({ id }) => !drawn.has(id))
    .map(({ id, level, what, fix }) => ({
      // Several nodes can have problems of one kind.
      key: `${id} ${what}`,
      status: level,
      title: what,
      text: fix,
      remedy:
        id === 'copy' ? <CopyRemedy /> : id === 'backup.none' && <CopySetting text={backupTexts.settings} />,
    }))
  return [
    ...items.filter((item) => item !== null && item !== undefined && item !== false),
    ...others,
  ].toSorted((a, b) => Number(a.status !== 'danger') - Number(b.status !== 'danger'))
}

function rootsItem(
  { total, people }: NonNullable<Condition['signIn']>['rootsAtRisk'],
  ownId: string,
): ToDoItem {
  const names = new Intl.ListFormat(document.documentElement.lang, {
    type: total > people.length ? 'unit' : 'conjunction',
  }).format(people.map(({ name }) => name))
  const isOwn = people.some(({ _id }) => _id === ownId)
  return {
    key: 'roots',
    status: 'warning',
    title: texts.roots(total),
    text: texts.rootsText(names, total, people.length),
    remedy: (
      <>
        {(total > 1 || !isOwn) && (
          <ButtonLink href={listOfAccounts('root:true otp:false')}>{texts.showAccounts}</ButtonLink>
        )}
        {isOwn && <ButtonLink href="/me/otp">{texts.setUpFactor}</ButtonLink>}
      </>
    ),
  }
}

const percent = (share: number) =>
  share.toLocaleString(document.documentElement.lang, { style: 'percent', maximumFractionDigits: 0 })

function CopyRemedy() {
  const [isAsking, setAsking] = useState(false)
  const { mutate, isPending } = useChange(conditionEndpoints.putIntoService, () => ({}), {
    touches: [conditionEndpoints.read],
    onSuccess: () => notify.success(texts.inService),
    onError: (error) => notify.error(texts.putIntoServiceFailed, error),
  })
  return (
    <>
      <Button pending={isPending} onClick={() => setAsking(true)}>
        {texts.putIntoService}
      </Button>
      <ConfirmDialog
        open={isAsking}
        title={texts.putIntoServiceQuestion}
        confirmLabel={texts.putIntoService}
        cancelLabel={texts.cancel}
        onConfirm={() => {
          setAsking(false)
          mutate()
        }}
        onCancel={() => setAsking(false)}
      >
        {texts.putIntoServiceText}
      </ConfirmDialog>
    </>
  )
}

function ExtensionRemedy({ id, label }: { id: string; label: string }) {
  const [isAsking, setAsking] = useState(false)
  const { mutate, isPending } = useChange(rootExtensionEndpoints.disable, () => ({ params: { name: id } }), {
    touches: [conditionEndpoints.read, '/apps/root/extensions'],
    onSuccess: () => notify.success(texts.turnedOff),
    onError: (error) => notify.error(texts.turnOffFailed, error),
  })
  return (
    <>
      <ButtonLink href={`/app/extensions/${id}`}>{texts.show}</ButtonLink>
      <Button aria-label={texts.turnOffOf(label)} pending={isPending} onClick={() => setAsking(true)}>
        {texts.turnOff}
      </Button>
      <ConfirmDialog
        open={isAsking}
        title={texts.turnOffQuestion(label)}
        confirmLabel={texts.turnOff}
        cancelLabel={texts.cancel}
        destructive
        onConfirm={() => {
          setAsking(false)
          mutate()
        }}
        onCancel={() => setAsking(false)}
      >
        {texts.turnOffText}
      </ConfirmDialog>
    </>
  )
}
