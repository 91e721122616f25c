/** Topic for consoles: an extension now runs in another version, or no longer. */
export const extensionTopic = 'extensions'

/** Topic for nodes: read the extensions again. Clients cannot subscribe to it. */
export const nodeTopic = 'extension-nodes'

/** Topic for the users who may open the app in the project. */
export const storeTopicOf = ({ projectId, app }: { projectId: string; app: string }) =>
  `/projects/${projectId}/apps/${app}/store`
