// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>

class QMimeData;

namespace idemdesk::ui {

class MainWindow;

/// Files let fall on the window: logs are read for reused keys, payloads are compared. What a file is is told by its
/// name, and by the tab in front where the name says nothing.
class FileDrop final : public QObject
{
    Q_OBJECT

public:
    enum class Kind { Logs, Payloads };

    explicit FileDrop(MainWindow *window);

    static Kind kindOf(const QStringList &files, bool conflictsShown);
    static QStringList filesIn(const QMimeData *dragged); ///< those of this computer

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void take(const QStringList &files);

    MainWindow *m_window;
};

} // namespace idemdesk::ui
