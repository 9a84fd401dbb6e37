import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEndLock } from '../../src/page/model/end-lock.js'

/** A box of 400 pixels that scrolls as a browser's does: no further than its content. */
function boxOf(height: number) {
  let top = 0
  let [content, room] = [height, 400]
  const bounded = (wanted: number): number => Math.max(0, Math.min(wanted, content - room))
  return {
    get scrollTop() {
      return top
    },
    set scrollTop(wanted: number) {
      top = bounded(wanted)
    },
    get scrollHeight() {
      return content
    },
    get clientHeight() {
      return room
    },
    /** The content or the room for it changes; the browser moves only what would lie outside. */
    become(next: { readonly content?: number; readonly room?: number }) {
      content = next.content ?? content
      room = next.room ?? room
      top = bounded(top)
    },
    get fromEnd() {
      return content - top - room
    },
  }
}

test('a list stays at its end while it grows and while something takes its room, in whichever order that is told', () => {
  const [lock, box] = [createEndLock(), boxOf(1000)]
  lock.toEnd(box)
  box.become({ content: 1300 })
  // A browser tells of the scrolling before it tells of the size.
  assert.equal(lock.scrolled(box), true)
  assert.equal(lock.resized(box), true)
  assert.equal(box.fromEnd, 0)
  box.become({ room: 150 })
  lock.scrolled(box)
  lock.resized(box)
  assert.equal(box.fromEnd, 0)
  box.become({ content: 900, room: 400 })
  lock.resized(box)
  box.become({ content: 1200 })
  lock.scrolled(box)
  lock.resized(box)
  assert.deepEqual([lock.isHeld, box.fromEnd], [true, 0])
})

test('who goes up, however little, is left there, and is held again where they come back to the end', () => {
  const [lock, box] = [createEndLock(), boxOf(1000)]
  lock.toEnd(box)
  box.scrollTop -= 20
  assert.equal(lock.scrolled(box), true)
  assert.equal(lock.isHeld, false)
  box.become({ content: 1200 })
  assert.equal(lock.resized(box), false)
  assert.equal(box.scrollTop, 580)
  box.scrollTop = 780
  assert.equal(lock.scrolled(box), true)
  assert.equal(lock.isHeld, true)
})

test('what was opened stays where it is until somebody goes to the end', () => {
  const [lock, box] = [createEndLock(), boxOf(1000)]
  lock.toEnd(box)
  lock.release()
  box.become({ content: 1500 })
  assert.equal(lock.resized(box), false)
  assert.equal(box.scrollTop, 600)
  lock.toEnd(box)
  assert.deepEqual([lock.isHeld, box.fromEnd], [true, 0])
})

test('what shrinks and grows before the browser tells of it leaves the list at its end', () => {
  const [lock, box] = [createEndLock(), boxOf(1000)]
  lock.toEnd(box)
  box.become({ content: 960 })
  box.become({ content: 1100 })
  lock.scrolled(box)
  lock.resized(box)
  assert.equal(box.fromEnd, 0)
})
