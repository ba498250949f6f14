// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QList>
#include <QObject>
#include <QString>
#include <QTimer>
#include <functional>

class QWidget;

namespace idemdesk::app {

/// Walks the console without a person and writes a PNG of each stop. Works from timers alone, so the window lives on as
/// it does for a person. A stop whose condition does not come true within its time is a failure that is named, and the
/// walk goes on.
class CaptureScript final : public QObject
{
    Q_OBJECT

public:
    struct Stop {
        QString name; ///< of the file, without ".png"; empty: nothing is written
        std::function<void()> act;
        std::function<bool()> ready;
        std::function<QWidget *()> widget; ///< what to draw
        bool atOnce = false; ///< drawn right after the act: what is shown is over in a moment
        int scale = 1; ///< pixels a point, as on a screen of that density
    };

    /// folder exists.
    CaptureScript(QString folder, QObject *parent);

    void add(Stop stop) { m_stops.append(std::move(stop)); }
    void start();
    const QStringList &failures() const { return m_failures; }
    const QStringList &files() const { return m_files; }

signals:
    void finished();

private:
    void next();
    void poll();
    void draw();

    QString m_folder;
    QList<Stop> m_stops;
    qsizetype m_at = -1;
    QElapsedTimer m_since;
    QTimer m_timer;
    QStringList m_failures;
    QStringList m_files;
};

} // namespace idemdesk::app
