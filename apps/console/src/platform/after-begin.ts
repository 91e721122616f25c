import type { TopicListener } from './topics.ts'

/**
 * Returns a listener for data that is read while its subscription begins. It receives events and reconnects, which
 * may have missed events, but not the begin, nor that the topic has ended or was refused.
 */
export function afterBegin(listener: TopicListener): TopicListener {
  let hasBegun = false
  return (news) => {
    if (news.kind === 'event' || (news.kind === 'gap' && hasBegun)) listener(news)
    hasBegun ||= news.kind === 'gap'
  }
}
