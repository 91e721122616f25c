import { useChange, useNotify, useProject, useRole } from '@pult/sdk'
import { type BodyOf, type Edge, type EdgeDeck, edgeEndpoints } from '@pult/sdk/api'
import { Alert, Button, Card } from '@pult/sdk/ui'
import { useRef, useState } from 'react'
import { pictureFor } from './deck-picture.ts'
import { DeckKeys } from './decks/DeckKeys.tsx'
import { texts as keyTexts } from './decks/decks.texts.ts'
import styles from './edges.module.css'
import { edgeData } from './edges.queries.ts'
import { texts } from './edges.texts.ts'

/** The Stream Decks attached to the edge. */
export function DecksCard({ edge }: { edge: Edge }) {
  const mayManage = useRole('edges:manage')
  if (edge.report === null || edge.state !== 'online') return null
  const { driver, reason, devices, faulty = [] } = edge.report.decks
  return (
    <Card tabIndex={-1} title={texts.decks} flush>
      {driver === 'failed' && (
        <div className={styles.inset}>
          <Alert tone="warning" title={texts.decksFailed}>
            {reason}
          </Alert>
        </div>
      )}
      {devices.length + faulty.length === 0 && (
        <p className={styles.none}>{driver === 'missing' ? texts.decksMissing : texts.noDecks}</p>
      )}
      {devices.map((deck) => (
        <Deck key={deck.serial} edge={edge} deck={deck} mayManage={mayManage} />
      ))}
      {faulty.map((deck) => (
        <FaultyDeck key={deck.path} deck={deck} />
      ))}
    </Card>
  )
}

type Faulty = NonNullable<NonNullable<Edge['report']>['decks']['faulty']>[number]

/** A deck that is attached but not used, with the reason. */
function FaultyDeck({ deck: { path, model, fault, detail } }: { deck: Faulty }) {
  const reported = detail === null ? '' : texts.deckFaultDetail(detail)
  return (
    <div className={styles.deck}>
      <div className={styles.deckName}>
        <strong>{model || texts.unknownDeck}</strong>
        <span className={styles.quiet}>{path}</span>
        <Alert tone="warning" title={texts.deckFaults[fault]}>
          {`${texts.deckFaultHints[fault]} ${reported}`.trim()}
        </Alert>
      </div>
    </div>
  )
}

interface DeckProps {
  edge: Edge
  deck: EdgeDeck
  mayManage: boolean
}

type DeckChange = BodyOf<typeof edgeEndpoints.setDeck>

function Deck({ edge, deck, mayManage }: DeckProps) {
  const notify = useNotify()
  const { _id: projectId, access } = useProject()
  const ownsProject = access === 'owner' || access === 'root'
  const [areKeysOpen, setKeysOpen] = useState(false)
  const file = useRef<HTMLInputElement>(null)
  const set = edge.decks.find(({ serial }) => serial === deck.serial)
  const [moved, setMoved] = useState<number | null>(null)
  const brightness = moved ?? set?.brightness ?? 0.8
  const { mutate, isPending } = useChange(
    edgeEndpoints.setDeck,
    (body: DeckChange) => ({ params: { projectId, edgeId: edge._id, serial: deck.serial }, body }),
    { touches: edgeData, onError: (error) => notify({ title: texts.pictureFailed, error }) },
  )
  const show = (body: DeckChange) => mutate(body, { onSettled: () => setMoved(null) })
  const choose = async (chosen: File | undefined) => {
    if (chosen === undefined) return
    const picture = await pictureFor(chosen, deck).catch(() => null)
    if (picture === null)
      notify({ title: texts.pictureFailed, text: texts.pictureUnreadable, tone: 'danger' })
    else show({ picture })
  }
  return (
    <div className={styles.deck}>
      <div className={styles.deckName}>
        <strong>{deck.model}</strong>
        <span className={styles.quiet}>
          {texts.deckFacts(`${deck.columns} × ${deck.rows}`, deck.firmware, deck.serial)}
        </span>
        {set?.hasPicture === true && <span className={styles.quiet}>{texts.pictureShown}</span>}
        {deck.problem !== null && <Alert tone="warning">{deck.problem}</Alert>}
      </div>
      {mayManage && (
        <div className={styles.deckActions}>
          <label className={styles.brightness}>
            <span>{texts.brightness}</span>
            <input
              type="range"
              aria-label={texts.brightnessOf(deck.model)}
              min={0}
              max={1}
              step={0.02}
              value={brightness}
              onChange={({ target }) => setMoved(Number(target.value))}
              onPointerUp={() => moved !== null && show({ brightness: moved })}
              onKeyUp={() => moved !== null && show({ brightness: moved })}
            />
            <output>{texts.share(brightness)}</output>
          </label>
          {deck.width * deck.height > 0 && (
            <>
              <input
                ref={file}
                type="file"
                hidden
                accept="image/*"
                aria-label={texts.choosePictureOf(deck.model)}
                onChange={({ target }) => {
                  void choose(target.files?.[0])
                  target.value = ''
                }}
              />
              <Button pending={isPending} onClick={() => file.current?.click()}>
                {texts.choosePicture}
              </Button>
              {set?.hasPicture === true && (
                <Button variant="ghost" onClick={() => show({ picture: null })}>
                  {texts.clearPicture}
                </Button>
              )}
            </>
          )}
          {ownsProject && (
            <Button aria-expanded={areKeysOpen} onClick={() => setKeysOpen(!areKeysOpen)}>
              {keyTexts.keys}
            </Button>
          )}
        </div>
      )}
      {ownsProject && areKeysOpen && <DeckKeys edge={edge} deck={deck} />}
    </div>
  )
}
