/** A message of a subscribed topic. */
export type TopicNews =
  | { kind: 'event'; name: string; data: unknown }
  /**
   * The subscription has just started, or events are missing: refetch the topic's data. `at` is the server's position
   * when it started: data that was read there or later misses nothing.
   */
  | { kind: 'gap'; at?: string | undefined }
  /** The topic does not exist for this user, or no longer. No further message arrives on this connection. */
  | { kind: 'ended' }
