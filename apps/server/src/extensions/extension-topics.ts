/** Tells consoles that what runs of an extension is another version now, or nothing. */
export const extensionTopic = 'extensions'

/** Tells every node to look again at what there is and what runs; nobody can subscribe to it. */
export const nodeTopic = 'extension-nodes'
