const base = {margin: {l: 56, r: 12, t: 6, b: 40}, font: {family: "system-ui, sans-serif", size: 12, color: "#1c2430"}, paper_bgcolor: "#fff", plot_bgcolor: "#fff",
  hovermode: "x unified", legend: {orientation: "h", y: 1.02, yanchor: "bottom", x: 0, traceorder: "normal"}, xaxis: {gridcolor: "#eef0f3", zeroline: false}, yaxis: {gridcolor: "#eef0f3", zeroline: false}};
