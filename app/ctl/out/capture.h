// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ctl/out/output.h"

#include <QByteArrayList>
#include <QJsonObject>
#include <optional>

namespace idemdesk::app {

/// A table before it is fitted to a terminal.
struct CapturedTable {
    QStringList header;
    QList<QStringList> rows;
    bool sentences = false;
    QStringList texts;
};

/// What a command said while it was caught.
struct Captured {
    QString text; ///< with capturedTableMark() where a table stands
    QList<CapturedTable> tables;
    QStringList notes; ///< as they are, not escaped yet
    QByteArrayList items; ///< of the document: JSON, whose numbers keep their text
    QJsonObject rest; ///< of the document, beside the items
    std::optional<sql::Error> error; ///< the first one
    bool absent = false; ///< the error is an answer: what was looked for is not there, which is known
};

/// While it lives, what commands say on this thread is kept here instead of written: so that a command can be run in
/// several databases at once, and its answers be told together. Lives and dies on one thread.
class Capture
{
public:
    explicit Capture(const OutputStyle &style);
    ~Capture();
    Capture(const Capture &) = delete;
    Capture &operator=(const Capture &) = delete;

    /// All that was said so far.
    Captured take();

private:
    void *m_before; ///< what caught before
};

/// Whether what is said on this thread is kept. Then a command may make its document beside its text.
bool capturing();
/// Stands in a captured text in the place of its table.
QString capturedTableMark(qsizetype index);
/// The table as it is shown.
QString table(const CapturedTable &captured);

} // namespace idemdesk::app
