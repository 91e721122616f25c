import type { CardDefinition } from '@pult/sdk'
import { AppHostProvider, readEvery, readingOf } from '@pult/sdk/host'
import { AppTile, DataCard, type DataCardState, Link, Skeleton } from '@pult/ui'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Component, type ReactNode, useEffect, useRef, useState } from 'react'
import { afterBegin } from '#platform/after-begin.ts'
import { useCardState } from '#platform/desk/use-card-state.tsx'
import { LoadingError } from '#platform/loading-error.ts'
import { openDocument } from '#platform/storage.ts'
import { subscribeUsable } from '#platform/usable-topic.ts'
import { useActiveProject } from '../projects/projects.queries.ts'
import styles from './AppCards.module.css'
import { AppIcon } from './AppIcon.tsx'
import { loadStyles } from './app-loader.ts'
import type { AppCard } from './cards.ts'
import { texts } from './extensions.texts.ts'
import { loadNow } from './late-entries.ts'
import { loadPoint, placeOf, withTimeout } from './read-point.ts'
import { isRootApp, registrationOf } from './registry.ts'
import { reportFailure } from './report-failure.ts'
import { usableText } from './usable-results.ts'
import { useHost } from './use-host.ts'

/** Minimum interval between two refetches after events. Milliseconds. */
const eventPause = 1000
/** Maximum number of content changes per second. A card that exceeds it is stopped. */
const maxChanges = 100

interface AppCardFrameProps extends Omit<AppCard, 'key'> {
  /** The id of the edge or organisation whose page shows the card. */
  subject?: string | null
  menu?: ReactNode
  /** True while another card is dragged over it. */
  isTarget?: boolean
}

/**
 * The frame of an app's card. A card that fails, does not respond or keeps changing shows the reason. Other cards are
 * unaffected.
 */
export function AppCardFrame({ app, card, subject = null, menu, isTarget = false }: AppCardFrameProps) {
  const { manifest, extension } = app
  useEffect(() => loadNow(extension.id), [extension.id])
  const { definition, codeError, reading, readAgain } = useCardData({ app, card, subject })
  const { data, error } = reading
  const state = useCardState(reading, {
    usual: card.refresh * 1000,
    skeleton: <Skeleton height="72px" />,
    failed: texts.cardFailed,
    failedText: error?.message,
  })
  const [broken, setBroken] = useState<Error | null>(null)
  const fail = (fault: Error) => {
    reportFailure(extension, card.id, fault)
    setBroken(fault)
  }
  const retry = () => {
    setBroken(null)
    readAgain()
  }
  const project = useActiveProject()
  const host = useHost({
    manifest,
    project: isRootApp(app) ? null : project,
    basePath: `/app/${manifest.id}`,
  })
  const isRead = definition !== undefined && data !== undefined
  return (
    <div className={styles.cell} data-cell="" data-size={card.size} data-target={isTarget || undefined}>
      <DataCard
        icon={<AppTile id={manifest.id} tint={manifest.tint} icon={<AppIcon app={app} />} size="small" />}
        title={card.label}
        action={
          <span className={styles.end}>
            <Link href={`/app/${manifest.id}`}>{manifest.label}</Link>
            {menu}
          </span>
        }
        state={stateOf({ state, empty: data?.empty, error: broken ?? codeError, retry })}
      >
        {isRead && broken === null && (
          <AppHostProvider value={host}>
            <CardBoundary onError={fail}>
              <Content onFlood={() => fail(new Error(texts.cardFloods))}>
                <definition.Component data={data.data} />
              </Content>
            </CardBoundary>
          </AppHostProvider>
        )}
      </DataCard>
    </div>
  )
}

function useCardData({ app, card, subject }: Pick<AppCard, 'app' | 'card'> & { subject: string | null }) {
  const client = useQueryClient()
  const registration = registrationOf(app)
  const place = placeOf(app)
  const key = ['card', app.extension.entry, app.manifest.id, card.id]
  const code = useQuery({
    queryKey: [...key, 'code'],
    queryFn: async () => {
      const [definition] = await Promise.all([
        loadPoint(registration?.cards?.[card.id], card.id, app.extension),
        loadStyles(app.extension),
      ])
      return definition
    },
    enabled: registration !== undefined,
    staleTime: 'static',
    retry: false,
  })
  const definition = code.data
  const dataKey = [...key, 'data', place.project?._id ?? null, subject]
  const reading = useQuery({
    queryKey: dataKey,
    queryFn: (query) =>
      withTimeout(
        app,
        readingOf(query),
        async (context) => {
          const data = await definition?.read(context)
          // An error during rendering would replace the whole page.
          return { data, empty: usableText(definition?.empty?.(data)) }
        },
        subject,
      ),
    enabled: definition !== undefined,
    retry: false,
    refetchInterval: readEvery(card.refresh * 1000),
  })

  const topic = topicOf(definition, { ...place, subject })
  const queryHash = JSON.stringify(dataKey)
  useEffect(() => {
    if (topic === undefined) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const listener = afterBegin(() => {
      timer ??= setTimeout(() => {
        timer = undefined
        void client.invalidateQueries({ queryKey: JSON.parse(queryHash) as unknown[] })
      }, eventPause)
    })
    const stop = subscribeUsable(topic, listener)
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [client, topic, queryHash])

  const readAgain = () => {
    if (code.error === null) void reading.refetch()
    else if (needsReload(code.error)) openDocument()
    else void code.refetch()
  }
  return { definition, codeError: code.error, reading, readAgain }
}

/** Returns the card's topic. If its code throws, the card works without live changes. */
function topicOf(
  definition: CardDefinition | undefined,
  context: Parameters<NonNullable<CardDefinition['topic']>>[0],
): string | undefined {
  try {
    return definition?.topic?.(context)
  } catch (error) {
    reportError(error)
    return undefined
  }
}

interface CardReading {
  /** The state of the data. */
  state: DataCardState
  /** The text in place of the content; undefined before the first data. */
  empty: string | null | undefined
  /** The error of the code or the content, which needs a retry by the user. */
  error: Error | null
  retry: () => void
}

function stateOf({ state, empty, error, retry }: CardReading): DataCardState {
  if (error !== null)
    return {
      kind: 'failed',
      title: texts.cardFailed,
      text: error.message,
      onRetry: retry,
      retryLabel: needsReload(error) ? texts.reload : texts.retry,
    }
  if (state.kind !== 'filled' || empty === undefined || empty === null) return state
  return { kind: 'empty', title: empty }
}

/** A module that was updated since, or that is no card, stays so on this page. */
const needsReload = (error: Error) => error instanceof LoadingError && !error.canRetry

class CardBoundary extends Component<{ onError: (error: Error) => void; children: ReactNode }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override componentDidCatch(error: unknown) {
    this.props.onError(error instanceof Error ? error : new Error(String(error)))
    reportError(error)
  }

  override render() {
    return this.state.hasFailed ? null : this.props.children
  }
}

/** Counts the changes of the content, and reports a rate above the limit once. */
function Content({ onFlood, children }: { onFlood: () => void; children: ReactNode }) {
  const content = useRef<HTMLDivElement>(null)
  const report = useRef(onFlood)
  useEffect(() => {
    report.current = onFlood
  })
  useEffect(() => {
    let [since, changes] = [performance.now(), 0]
    const observer = new MutationObserver(() => {
      const now = performance.now()
      if (now - since > 1000) [since, changes] = [now, 0]
      changes += 1
      if (changes <= maxChanges) return
      observer.disconnect()
      report.current()
    })
    if (content.current !== null)
      observer.observe(content.current, {
        attributes: true,
        characterData: true,
        childList: true,
        subtree: true,
      })
    return () => observer.disconnect()
  }, [])
  return <div ref={content}>{children}</div>
}
