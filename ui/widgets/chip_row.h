// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>

class QToolButton;

namespace idemdesk::ui {

class Chip;

/// Chips beside each other, in as many lines as they need. In a low window they take one line, and a button shows the
/// rest: the rows beneath need the room more. One that is pressed is never among the rest.
class ChipRow final : public QWidget
{
    Q_OBJECT

public:
    explicit ChipRow(const QString &objectName, QWidget *parent = nullptr);
    void add(Chip *chip); ///< the most important first
    void offer(Chip *chip, bool offered); ///< whether there is anything that it could show
    bool offers(const Chip *chip) const; ///< be it among the rest

protected:
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void changeEvent(QEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override; ///< of the window

private:
    struct Part {
        Chip *chip;
        bool offered = false;
    };
    void arrange();
    void applyColors();
    /// Those that have room in a line of this width beside the button, those that are pressed at any rate.
    QList<Chip *> inOneLine(int width) const;

    QList<Part> m_parts;
    QToolButton *m_more;
    bool m_open = false; ///< all are shown, though the window is low
};

} // namespace idemdesk::ui
