// SPDX-License-Identifier: Apache-2.0
//
// A Worker for pages that are opened as files, where browsers start none: the script runs in a
// hidden frame of the same page. The theme's search asks parent.IFrameWorker whether it is so.
class IFrameWorker extends EventTarget {
  constructor(url) {
    super();
    this.waiting = [];
    const frame = document.createElement("iframe");
    frame.hidden = true;
    frame.srcdoc = "<!doctype html><title>search</title>";
    frame.addEventListener("load", () => this.start(frame.contentWindow, url), { once: true });
    document.body.append(frame);
  }

  start(inner, url) {
    inner.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
    const script = inner.document.createElement("script");
    script.src = url;
    script.onload = () => {
      const first = this.waiting;
      this.waiting = null;
      this.inner = inner;
      first.forEach((data) => this.postMessage(data));
    };
    inner.document.head.append(script);
  }

  postMessage(data) {
    if (this.waiting) {
      this.waiting.push(data);
    } else {
      this.inner.dispatchEvent(new this.inner.MessageEvent("message", { data }));
    }
  }
}

if (location.protocol === "file:") {
  window.IFrameWorker = IFrameWorker;
  window.Worker = IFrameWorker;
}
