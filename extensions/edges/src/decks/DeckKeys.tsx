import { type ChangeOptions, useCall, useChange, useNotify, useProject } from '@pult/sdk'
import {
  type BodyOf,
  type Edge,
  type EdgeDeck,
  type EdgeDeckKey,
  type EdgeDeckSettings,
  edgeDeckEndpoints,
  limits,
} from '@pult/sdk/api'
import { useDraft, useUnsavedInput, Waiting } from '@pult/sdk/resource'
import { Alert, Button, SegmentedControl, SelectField, Switch, TextField } from '@pult/sdk/ui'
import { type CSSProperties, useState } from 'react'
import styles from './decks.module.css'
import { texts } from './decks.texts.ts'
import { faceOf } from './key-faces.ts'
import { Steps } from './Steps.tsx'

const pages = Array.from({ length: limits.edgeDeckPagesMax }, (_, page) => page)

interface DeckKeysProps {
  edge: Edge
  deck: EdgeDeck
}

/** The keys of a deck at an edge, and the account with whose rights they act. Only the project's owner sees it. */
export function DeckKeys({ edge, deck }: DeckKeysProps) {
  const { _id: projectId } = useProject()
  const params = { projectId, edgeId: edge._id, serial: deck.serial }
  const { data, error, refetch } = useCall(edgeDeckEndpoints.read, { params })
  return (
    <section className={styles.keys} aria-label={texts.keysOf(deck.model)}>
      {data === undefined ? (
        <Waiting failed={texts.loadingFailed} error={error} onRetry={() => void refetch()} />
      ) : (
        <>
          <AccountFields params={params} settings={data} />
          <PageFields params={params} deck={deck} settings={data} />
        </>
      )}
    </section>
  )
}

interface FieldsProps {
  params: { projectId: string; edgeId: string; serial: string }
  settings: EdgeDeckSettings
}

/** Returns the options of a change that saves immediately and shows the server's reply. */
function useSaveOptions(params: FieldsProps['params']): ChangeOptions<EdgeDeckSettings, unknown> {
  const notify = useNotify()
  return {
    touches: [edgeDeckEndpoints.read],
    shows: () => [edgeDeckEndpoints.read, { params }],
    onError: (error) => notify({ title: texts.saveFailed, error }),
  }
}

function AccountFields({ params, settings: { account, agreedAt, isLocked } }: FieldsProps) {
  const { grants, owner, ownerName } = useProject()
  const { mutate, isPending, variables } = useChange(
    edgeDeckEndpoints.update,
    (body: BodyOf<typeof edgeDeckEndpoints.update>) => ({ params, body }),
    useSaveOptions(params),
  )
  const shown = { account: account?._id ?? null, isLocked, ...(isPending && variables) }
  const names = new Map([
    ...(account === null ? [] : [[account._id, account.name] as const]),
    ...grants.map(({ user, name }) => [user, name] as const),
    [owner, ownerName] as const,
  ])
  return (
    <div className={styles.account}>
      <SelectField
        label={texts.account}
        description={texts.accountHint}
        value={shown.account ?? ''}
        onChange={({ target }) => mutate({ account: target.value === '' ? null : target.value })}
      >
        <option value="">{texts.noAccount}</option>
        {[...names].map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      {account !== null && agreedAt === null && !isPending && (
        <Alert tone="warning" title={texts.waitsFor(account.name)}>
          {texts.waitsForText}
        </Alert>
      )}
      <Switch
        label={texts.isLocked}
        description={texts.isLockedHint}
        checked={shown.isLocked}
        onChange={({ target }) => mutate({ isLocked: target.checked })}
      />
    </div>
  )
}

function PageFields({ params, deck, settings }: FieldsProps & { deck: EdgeDeck }) {
  const notify = useNotify()
  const [page, setPage] = useState(0)
  const [selected, setSelected] = useState<number | null>(null)
  /** Unsaved keys by page. */
  const [drafts, setDrafts] = useDraft<Readonly<Record<number, readonly EdgeDeckKey[]>>>(
    `edges keys of ${params.edgeId} ${params.serial}`,
    {},
  )
  useUnsavedInput(Object.keys(drafts).length > 0)
  const saved = settings.pages.find((one) => one.page === page)?.keys ?? []
  const keys = drafts[page] ?? saved
  const { mutateAsync, isPending } = useChange(
    edgeDeckEndpoints.setPage,
    (body: BodyOf<typeof edgeDeckEndpoints.setPage>) => ({ params: { ...params, page: String(page) }, body }),
    useSaveOptions(params),
  )
  const change = (next: EdgeDeckKey) => {
    const isEmpty = next.label === '' && next.press.length === 0 && next.hold.length === 0
    const others = keys.filter(({ key }) => key !== next.key)
    setDrafts({ ...drafts, [page]: isEmpty ? others : [...others, next] })
  }
  const save = async () => {
    const face = await faceOf(keys, deck)
    if (face === undefined) return notify({ title: texts.saveFailed, text: texts.faceFailed, tone: 'danger' })
    const trimmed = keys.map((one) => ({ ...one, label: one.label.trim() }))
    try {
      await mutateAsync({ keys: trimmed, face })
      notify({ title: texts.saved, tone: 'success' })
      setDrafts(({ [page]: _saved, ...others }) => others)
    } catch {
      // The change has reported the error. The input stays.
    }
  }
  const places = Array.from({ length: deck.columns * deck.rows }, (_, index) => index)
  const keyAt = (index: number): EdgeDeckKey =>
    keys.find(({ key }) => key === index) ?? { key: index, label: '', press: [], hold: [] }
  return (
    <>
      <div className={styles.pageBar}>
        <SegmentedControl
          label={texts.pages}
          segments={pages.map((each) => ({ value: String(each), label: texts.pageShort(each) }))}
          value={String(page)}
          onChange={(next) => {
            setPage(Number(next))
            setSelected(null)
          }}
        />
        <Button
          variant="primary"
          disabled={drafts[page] === undefined}
          pending={isPending}
          onClick={() => void save()}
        >
          {texts.save(page)}
        </Button>
      </div>
      <div
        className={styles.grid}
        role="group"
        aria-label={texts.page(page)}
        style={{ '--columns': deck.columns } as CSSProperties}
      >
        {places.map((index) => {
          const { label, press, hold } = keyAt(index)
          return (
            <button
              key={index}
              type="button"
              className={styles.key}
              aria-label={texts.key(index, label)}
              aria-pressed={selected === index}
              data-acts={press.length + hold.length > 0 || undefined}
              onClick={() => setSelected(index)}
            >
              <span className={styles.keyLabel}>{label}</span>
            </button>
          )
        })}
      </div>
      {selected === null ? (
        <p className={styles.hint}>{texts.chooseKey}</p>
      ) : (
        <div key={`${page} ${selected}`} className={styles.fields}>
          <TextField
            label={texts.label}
            maxLength={limits.deckLabelMax}
            value={keyAt(selected).label}
            onChange={({ target }) => change({ ...keyAt(selected), label: target.value })}
          />
          {(['press', 'hold'] as const).map((when) => (
            <Steps
              key={when}
              title={texts[when]}
              steps={keyAt(selected)[when]}
              onChange={(steps) => change({ ...keyAt(selected), [when]: steps })}
            />
          ))}
        </div>
      )}
    </>
  )
}
