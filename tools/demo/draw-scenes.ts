import { join } from 'node:path'
import sharp from 'sharp'
import { scenes } from './demo-scenes.ts'

/* node draw-scenes.ts FOLDER: a separate process, because the server's sharp refuses to read SVG. */

const [folder = '.'] = process.argv.slice(2)
sharp.concurrency(1)
for (const { file, width, height, draw } of scenes) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${draw(width, height)}</svg>`
  const picture = sharp(Buffer.from(svg))
  const encoded = file.endsWith('.png') ? picture.png() : picture.jpeg({ quality: 84 })
  await encoded.toFile(join(folder, file))
}
