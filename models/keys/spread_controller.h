// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/request/request.h"
#include "sql/types/filter.h"
#include "sql/types/key_spread.h"

#include <QElapsedTimer>
#include <QTimer>

namespace idemdesk::models {

class KeyBrowserController;

/// How the rows of the list lie over time and by age: asked behind the list's first page, on the lane for long work,
/// and given up with its filter. Lives on the GUI thread.
class KeySpreadController final : public QObject
{
    Q_OBJECT

public:
    explicit KeySpreadController(KeyBrowserController *browser, QObject *parent = nullptr);
    ~KeySpreadController() override;

    void setWanted(bool wanted); ///< it is seen; nothing is read while it is not
    void refresh();
    void cancel() { m_reading.cancel(); }
    /// A list that refreshes by itself takes it along at most so often.
    void setLeastPause(int milliseconds);

    const std::optional<sql::KeySpread> &spread() const { return m_spread; }
    bool busy() const { return m_reading.busy(); }
    /// How many rows there are and how that is known; or why nothing is.
    QString noteText() const;
    bool answered() const { return m_spread || (m_reading.error() && !m_reading.busy()); }
    bool told() const { return m_spread && !m_spread->buckets.isEmpty(); } ///< there is something to draw
    QString bucketText(int first, int last) const; ///< the time and the rows of these buckets
    QString cellText(int scope, int age) const;
    QString scopeName(int scope) const; ///< whole; safe to show
    QString scopeFilter(int scope) const;
    static QString ageTitle(int age); ///< "1–6 h"

    /// The list's filter text narrowed to these buckets, or to the rows of one scope and age.
    QString rangeFilter(int first, int last) const;
    QString cellFilter(int scope, int age) const;
    bool narrowed() const; ///< the list's filter says something of that time
    QString wholeFilter() const; ///< without it

signals:
    void changed();

private:
    void onStatus();
    void onPage();
    void onReading();
    bool behind() const; ///< the list was read again since
    bool differs() const; ///< the list was counted exactly, and has another number of rows
    void ask();
    void forget();
    QString timeField() const;

    KeyBrowserController *m_browser;
    Request m_reading { QStringLiteral("keys/spread") };
    std::optional<sql::KeySpread> m_spread;
    std::optional<sql::Filter> m_asked; ///< what m_spread or the question under way is of
    bool m_wanted = false;
    QElapsedTimer m_since; ///< the newest question
    qint64 m_differed = -1; ///< the number of the list for which it was read once more
    qint64 m_tookMs = 0;
    qint64 m_leastPauseMs = 10'000;
    QTimer m_again; ///< at the end of the pause, where the list was read again within it
};

} // namespace idemdesk::models
