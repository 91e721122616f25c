// The console's components, for extensions. Their styles are the console's, so that an app needs none of its own.
export * from '@pult/ui'
